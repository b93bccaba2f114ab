"""What kinds of nodes mean in the grammars of JavaScript, TypeScript, Go and Rust: one table, as no two grammars use a
kind for different things here."""

from __future__ import annotations

from typing import Final


def _each(role: str, kinds: str) -> dict[str, str]:
    return dict.fromkeys(kinds.split(), role)


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


ROLES: Final[dict[str, str]] = {
    **_each(
        "skip",
        "comment line_comment block_comment hash_bang_line type_annotation type_parameters type_arguments "
        "visibility_modifier mutable_specifier attribute_item inner_attribute_item accessibility_modifier lifetime "
        "override_modifier predefined_type primitive_type optional_chain package_clause type_predicate_annotation "
        "where_clause decorator empty_statement",
    ),
    **_each(
        "through",
        "parenthesized_expression as_expression satisfies_expression non_null_expression expression_statement "
        "type_cast_expression reference_expression literal_element export_statement match_pattern else_clause "
        "lexical_declaration variable_declaration var_declaration const_declaration type_conversion_expression",
    ),
    **_each(
        "block",
        "program source_file statement_block block statement_list class_body declaration_list switch_body "
        "match_block var_spec_list interface_body",
    ),
    **_each(
        "loop",
        "for_statement for_in_statement while_statement do_statement for_expression while_expression loop_expression",
    ),
    **_each("if", "if_statement if_expression ternary_expression"),
    **_each(
        "set",
        "variable_declarator assignment_expression assignment_statement short_var_declaration var_spec "
        "const_spec let_declaration const_item static_item field_definition public_field_definition",
    ),
    **_each("change", "augmented_assignment_expression compound_assignment_expr"),
    **_each("step", "update_expression inc_statement dec_statement"),
    **_each("call", "call_expression new_expression macro_invocation"),
    **_each("member", "member_expression selector_expression field_expression scoped_identifier"),
    **_each("index", "subscript_expression index_expression slice_expression"),
    **_each(
        "several",
        "arguments argument_list expression_list formal_parameters parameters parameter_list "
        "parameter_declaration required_parameter optional_parameter parameter closure_parameters token_tree "
        "variadic_parameter_declaration literal_value",
    ),
    **_each("binary", "binary_expression"),
    **_each("unary", "unary_expression"),
    **_each(
        "function",
        "function_declaration generator_function_declaration method_definition method_declaration function_item "
        "function_expression generator_function arrow_function func_literal closure_expression",
    ),
    **_each("return", "return_statement return_expression"),
    **_each("import", "import_statement import_spec use_declaration"),
    **_each(
        "name",
        "identifier shorthand_property_identifier shorthand_property_identifier_pattern type_identifier "
        "private_property_identifier package_identifier",
    ),
    **_each("field", "property_identifier field_identifier"),
    **_each("number", "number int_literal float_literal integer_literal imaginary_literal"),
    **_each(
        "string",
        "string string_literal raw_string_literal interpreted_string_literal rune_literal char_literal regex "
        "template_string",
    ),
}
"""Kind of node → what it is. Kinds that are not here keep their own name."""

NAMED: Final = _words(
    "variable_declarator.name function_declaration.name generator_function_declaration.name class_declaration.name",
    "for_in_statement.left required_parameter.pattern optional_parameter.pattern catch_clause.parameter",
    "arrow_function.parameter enum_declaration.name interface_declaration.name type_alias_declaration.name",
    "short_var_declaration.left range_clause.left var_spec.name const_spec.name parameter_declaration.name",
    "variadic_parameter_declaration.name type_spec.name let_declaration.pattern for_expression.pattern",
    "parameter.pattern function_item.name struct_item.name enum_item.name enum_variant.name const_item.name",
    "static_item.name trait_item.name mod_item.name let_condition.pattern match_arm.pattern type_item.name",
    "formal_parameters. closure_parameters. type_parameter.name receive_statement.left",
)
"""Places, as `kind.field`, where the code binds names."""
OWNED: Final = _words(
    "method_definition.name field_definition.property public_field_definition.name property_signature.name",
    "method_signature.name method_declaration.name field_declaration.name method_elem.name",
)
"""Places where the code names a field or a method of its own."""
NOT_BOUND: Final = frozenset({"type", "right", "value", "default", "condition", "key", "return_type"})
"""Fields below such a place that bind nothing."""

MIRRORED: Final = {">": "<", ">=": "<="}
SAME: Final = {"===": "==", "!==": "!="}
AFFIRMED: Final = {"!=": "==", ">=": "<", ">": "<="}
COMMUTES: Final = frozenset({"+", "*", "==", "!=", "&&", "||", "|", "&", "^"})
PUNCTUATION: Final = _words(
    "( ) [ ] { } , ; : . => -> ? . :: = := let const var func fn function if else for while return in of new case # `"
)
