"""A validator for the part of JSON Schema, draft 2020-12, that the schema of jobs is made of."""

from collections.abc import Iterator

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
# What says nothing of validity.
NOTES = {"$schema", "title", "description", "default"}


def mistakes(schema, value, path=()) -> Iterator[tuple]:
    """Yield the paths of what is wrong."""
    for key, told in schema.items():
        if key not in NOTES and key not in ("properties", "then"):
            yield from KEYWORDS[key](schema, told, value, path)
    for key, part in schema.get("properties", {}).items():
        if isinstance(value, dict) and key in value:
            yield from mistakes(part, value[key], (*path, key))


def is_valid(schema, value):
    return not any(True for _ in mistakes(schema, value))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def keyword(test):
    """Make a check of a function that tells whether all is well."""

    def check(schema, told, value, path):
        if not test(told, value):
            yield path

    return check


def is_of(kind, value):
    if kind in ("number", "integer"):
        return is_number(value) and (kind == "number" or value == int(value))
    return isinstance(value, TYPES[kind])


def additional(schema, told, value, path):
    for key in (
        value.keys() - schema.get("properties", {}).keys() if isinstance(value, dict) else ()
    ):
        if told is False:
            yield (*path, key)
        else:
            yield from mistakes(told, value[key], (*path, key))


def items(schema, told, value, path):
    for index, one in enumerate(value if isinstance(value, list) else ()):
        yield from mistakes(told, one, (*path, index))


def all_of(schema, told, value, path):
    for part in told:
        yield from mistakes(part, value, path)


def condition(schema, told, value, path):
    if is_valid(told, value):
        yield from mistakes(schema["then"], value, path)


def depending(schema, told, value, path):
    for key, part in told.items():
        if isinstance(value, dict) and key in value:
            yield from mistakes(part, value, (*path, key))


KEYWORDS = {
    "type": keyword(is_of),
    "enum": keyword(lambda told, value: value in told),
    "const": keyword(lambda told, value: value == told),
    "minimum": keyword(lambda told, value: not is_number(value) or value >= told),
    "maximum": keyword(lambda told, value: not is_number(value) or value <= told),
    "multipleOf": keyword(lambda told, value: not is_number(value) or value % told == 0),
    "minItems": keyword(lambda told, value: not isinstance(value, list) or len(value) >= told),
    "maxItems": keyword(lambda told, value: not isinstance(value, list) or len(value) <= told),
    "minProperties": keyword(lambda told, value: not isinstance(value, dict) or len(value) >= told),
    "required": keyword(lambda told, value: not isinstance(value, dict) or set(told) <= set(value)),
    "anyOf": keyword(lambda told, value: any(is_valid(part, value) for part in told)),
    "oneOf": keyword(lambda told, value: sum(is_valid(part, value) for part in told) == 1),
    "not": keyword(lambda told, value: not is_valid(told, value)),
    "additionalProperties": additional,
    "items": items,
    "allOf": all_of,
    "if": condition,
    "dependentSchemas": depending,
}
