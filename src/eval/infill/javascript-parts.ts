/** Code that stands in the JavaScript programs of the benchmarks besides what they bring themselves. */

/** The tests of HumanEvalPack call `console.assert`, which in Node only prints. */
export const javascriptHead = `console.assert = (isTrue, ...says) => {
  if (!isTrue) throw new Error(["assertion failed", ...says].join(" "));
};
`;

/** The one function of lodash that the tests of MBXP call. */
export const lodashStub = `exports.isEqual = require("util").isDeepStrictEqual;
`;
