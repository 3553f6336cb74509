/**
 * What the kinds of nodes mean, for all grammars in one table: their authors use the same words, so
 * that a name means one thing, and a name that a grammar does not have costs nothing.
 */
import type { Language } from "web-tree-sitter";
import type { DefinitionKind } from "./types.ts";

/** Roles of a kind of node; a kind may have several. */
export const Role = {
  comment: 1,
  string: 2,
  /** Code inside a string. */
  hole: 4,
  import: 8,
  parameters: 16,
  definition: 32,
  /** Looked into for definitions. */
  container: 64,
  /** Its named children are statements or members. */
  block: 128,
} as const;

/** The roles of one grammar's nodes. */
export interface NodeRoles {
  /** Bits of `Role` by node type id; past the end of it, such as for error nodes, there are none. */
  readonly byTypeId: Uint16Array;
  /** Names of the node types that are comments, strings or holes. */
  readonly literals: readonly string[];
  /** Words of the grammar, which are never names of anything. */
  readonly keywords: ReadonlySet<string>;
}

const strings = names(`string template_string regex string_literal raw_string_literal char_literal
  character_literal interpreted_string_literal rune_literal system_lib_string
  verbatim_string_literal interpolated_string_expression heredoc_body heredoc nowdoc encapsed_string
  line_string_literal multi_line_string_literal multiline_string_literal raw_string ansi_c_string
  translated_string regex_literal quoted_attribute_value string_value expandable_string_literal
  verbatim_string_characters expandable_here_string_literal verbatim_here_string_characters`);

const holes = names(`template_substitution interpolation interpolated_expression
  string_interpolation command_substitution expansion simple_expansion sub_expression`);

const imports = names(`import_statement import_from_statement future_import_statement
  import_declaration import_header use_declaration preproc_include using_directive
  using_declaration namespace_use_declaration`);

const parameters = names(`formal_parameters parameters parameter_list method_parameters
  function_value_parameters lambda_parameters closure_parameters block_parameters
  bracketed_parameter_list primary_constructor preproc_params`);

/** What each kind of definition defines. */
export const definitionKinds: Readonly<Record<string, DefinitionKind>> = {
  ...kind(
    "function",
    `function_declaration generator_function_declaration function_signature
    function_definition function_item function_signature_item preproc_function_def macro_definition`,
  ),
  ...kind(
    "method",
    `method_definition abstract_method_signature method_signature method_declaration
    constructor_declaration method singleton_method method_elem method_spec
    protocol_function_declaration`,
  ),
  ...kind(
    "class",
    `class_declaration abstract_class_declaration class_definition class_specifier
    class struct_specifier struct_item struct_declaration record_declaration object_declaration
    union_item union_specifier`,
  ),
  ...kind(
    "interface",
    `interface_declaration trait_item trait_declaration protocol_declaration
    annotation_type_declaration`,
  ),
  ...kind(
    "type",
    `type_alias_declaration type_item type_alias typealias_declaration type_definition
    alias_declaration delegate_declaration type_spec`,
  ),
  ...kind("enum", "enum_declaration enum_item enum_specifier"),
  ...kind(
    "constant",
    `const_spec const_item const_element static_item preproc_def enum_variant
    enumerator enum_constant enum_entry enum_member_declaration enum_case enum_assignment`,
  ),
  ...kind(
    "variable",
    `variable_declarator var_spec property_declaration assignment
    variable_assignment declaration`,
  ),
  ...kind(
    "field",
    `public_field_definition field_definition property_signature field_declaration
    property_element`,
  ),
  ...kind(
    "module",
    `mod_item internal_module module namespace_definition namespace_declaration
    file_scoped_namespace_declaration`,
  ),
};

const containers = names(`program source_file module translation_unit compilation_unit ERROR
  export_statement ambient_declaration expression_statement lexical_declaration
  variable_declaration decorated_definition template_declaration declaration_list class_body
  interface_body object_type enum_body enum_body_declarations enum_variant_list enumerator_list
  field_declaration_list body_statement statement_block block type_declaration const_declaration
  var_declaration var_spec_list preproc_if preproc_ifdef preproc_else linkage_specification
  impl_item foreign_mod_item enum_class_body protocol_body companion_object enum_declaration_list
  enum_member_declaration_list struct_type interface_type field_declaration property_declaration
  statement_list statements import_list`);

const blocks = names(`program source_file module translation_unit compilation_unit statement_block
  block class_body interface_body enum_body declaration_list field_declaration_list body_statement
  compound_statement statements statement_list switch_body switch_block enum_class_body
  protocol_body function_body constructor_body do_block then else do_group stylesheet document
  script_block_body`);

/** Roles of the node types that a grammar has. */
export function rolesOf(language: Language): NodeRoles {
  const byTypeId = new Uint16Array(language.nodeTypeCount);
  const literals = new Set<string>();
  const keywords = new Set<string>();
  for (let id = 0; id < byTypeId.length; id++) {
    const name = language.nodeTypeForId(id);
    if (name === null) continue;
    if (!language.nodeTypeIsNamed(id)) {
      if (/^[A-Za-z_]\w*$/.test(name)) keywords.add(name);
      continue;
    }
    const roles = rolesOfName(name);
    byTypeId[id] = roles;
    const isLiteral = (roles & (Role.comment | Role.string | Role.hole)) !== 0;
    if (isLiteral) literals.add(name);
  }
  return { byTypeId, literals: [...literals], keywords };
}

function rolesOfName(name: string): number {
  let roles = 0;
  if (name === "comment" || name.endsWith("_comment")) roles |= Role.comment;
  if (strings.has(name)) roles |= Role.string;
  if (holes.has(name)) roles |= Role.hole;
  if (imports.has(name)) roles |= Role.import;
  if (parameters.has(name)) roles |= Role.parameters;
  if (Object.hasOwn(definitionKinds, name)) roles |= Role.definition;
  if (containers.has(name)) roles |= Role.container;
  if (blocks.has(name)) roles |= Role.block;
  return roles;
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

function kind(value: DefinitionKind, list: string): Record<string, DefinitionKind> {
  return Object.fromEntries([...names(list)].map((name) => [name, value]));
}
