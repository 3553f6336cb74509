/** The older release of the same library; its own types are declared under the newer one's name. */
declare module "web-tree-sitter-025" {
  export { Edit, Language, Parser } from "web-tree-sitter";
}
