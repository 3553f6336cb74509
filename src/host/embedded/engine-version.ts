/** The library that the embedded engine is made of, and the version that it was tried with. */

export const ENGINE_PACKAGE = "node-llama-cpp";
export const ENGINE_VERSION = "3.21.1";
