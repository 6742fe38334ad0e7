"""Generate the page of the Python API: every public name of the package with its signature and docstring."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import griffe
from msgspec import Meta

import urlset
import urlset.model
from option_fields import VERBS
from option_pages import about as about_option
from urlset import errors
from urlset.options.convert import describe_type
from urlset.options.declare import Face, options_of

if TYPE_CHECKING:
    from collections.abc import Iterator

BOUNDED = {
    name: getattr(get_args(kind)[0], "__name__", str(get_args(kind)[0]))
    for module in iter_modules(urlset.model.__path__, "urlset.model.")
    for name, kind in vars(import_module(module.name)).items()
    if get_origin(kind) is Annotated
}
"""The types with bounds in the annotations of results, by name, without their bounds."""

LONGEST_LINE = 100
"""Maximum characters of a signature on one line."""

SECTIONS = ("Functions", "Classes", "Exceptions", "Types", "Results")
"""The sections of the page, in order."""

ERRORS = tuple(
    name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, errors.UrlsetError)
)
"""The exceptions by name."""


def api_page() -> Iterator[str]:
    """Yield the page: every name of `urlset.__all__` and every error, from the sources and their docstrings."""
    yield "# Python API"
    yield ""
    yield "Every public name of the package `urlset`. What is not listed here may change without notice."
    yield "Exceptions other than `UrlsetError` are in `urlset.errors`, results in `urlset.model`. Options are in"
    yield "`urlset.options`: each verb takes them as a value or as [keywords](#options)."
    for heading, listed in public_objects().items():
        yield ""
        yield f"## {heading}"
        for each in listed:
            yield from _object(each)
    yield ""
    yield "## Options"
    for verb in VERBS:
        yield ""
        yield f"### {verb.__name__}"
        yield ""
        for option in options_of(verb):
            if Face.PYTHON in option.facts.faces:
                yield f"- `{option.name}` ({describe_type(option.annotation)}): {about_option(option)}"


def public_objects() -> dict[str, list[griffe.Object]]:
    """Return the public names of the package by section, in order."""
    package = griffe.load("urlset", resolve_aliases=True, docstring_parser="google")
    public = [_target(package[name]) for name in urlset.__all__ if not name.startswith("_")]
    public += [each for name, each in package["api"].functions.items() if name not in urlset.__all__ and each.is_public]
    public += [_target(package["errors"][name]) for name in ERRORS if name not in urlset.__all__]
    sections = {heading: [each for each in public if _section_of(each) == heading] for heading in SECTIONS}
    sections["Results"] = [_target(package["model"][name]) for name in urlset.model.__all__]
    return {heading: sorted(found, key=lambda each: each.name) for heading, found in sections.items()}


def shown_name(each: griffe.Object) -> str:
    """Return how a name is reached from `urlset`, unless it is an error or a result."""
    is_in_api = each.path == f"urlset.api.{each.name}"
    return f"api.{each.name}" if is_in_api and each.name not in urlset.__all__ else each.name


def _section_of(each: griffe.Object) -> str:
    if each.is_function:
        return "Functions"
    if each.is_class:
        return "Exceptions" if each.name in ERRORS else "Classes"
    return "Types"


def _target(each: griffe.Object | griffe.Alias) -> griffe.Object:
    return each.final_target if isinstance(each, griffe.Alias) else each


def _object(each: griffe.Object) -> Iterator[str]:
    yield ""
    yield f"### {shown_name(each)}"
    yield ""
    yield "```python"
    yield _signature(each)
    yield "```"
    yield from _docstring(each)
    if isinstance(each, griffe.Class):
        yield from _described_fields(each)
        for base in each.resolved_bases:
            # Members of a base class that is not public are documented at the public classes that inherit them.
            if base.name not in (*urlset.__all__, *urlset.model.__all__, *ERRORS):
                yield from _docstring(base)
                if isinstance(base, griffe.Class):
                    yield from _described_fields(base)
        for member in _members(each):
            yield ""
            yield f"#### {each.name}.{member.name}"
            yield ""
            yield "```python"
            yield _signature(member)
            yield "```"
            yield from _docstring(member)


def _members(each: griffe.Class) -> list[griffe.Object]:
    """Return the documented methods and properties of a class, including those of its bases in the package."""
    found = [
        _target(member)
        for name, member in each.all_members.items()
        if not name.startswith("_") and (member.is_function or "property" in member.labels)
    ]
    return [member for member in found if member.docstring is not None]


def _fields(each: griffe.Class) -> list[griffe.Attribute]:
    """Return the public fields of a class that nothing describes."""
    is_result = any(str(base) == "Struct" for base in each.bases)
    if not is_result and "dataclass" not in each.labels:
        return []
    if each.docstring is not None and "Attributes:" in each.docstring.value:
        return []
    fields = [field for field in each.attributes.values() if "instance-attribute" in field.labels and field.is_public]
    return [] if any(str(field.annotation).startswith("Annotated") for field in fields) else fields


def _described_fields(each: griffe.Class) -> Iterator[str]:
    """Yield the fields of a result, whose annotations have descriptions."""
    described = []
    for field in each.attributes.values():
        annotation = field.annotation
        if "property" in field.labels:
            continue
        if isinstance(annotation, griffe.ExprSubscript) and annotation.canonical_name == "Annotated":
            hints: dict[str, Any] = get_type_hints(_runtime_class(each), include_extras=True)
            *_, about = get_args(hints[field.name])
            text = about.description if isinstance(about, Meta) else about
            described.append(f"- `{field.name}` (`{_kind(annotation)}`): {text}")
    if described:
        yield ""
        yield "**Attributes**"
        yield ""
        yield from described


def _runtime_class(each: griffe.Class) -> type:
    kind: type = getattr(import_module(each.module.path), each.name)
    return kind


def _kind(annotation: str | griffe.Expr | None) -> str:
    """Return the type of an annotation, without its bounds and description."""
    if isinstance(annotation, griffe.ExprSubscript) and annotation.canonical_name == "Annotated":
        assert isinstance(annotation.slice, griffe.ExprTuple)
        annotation = annotation.slice.elements[0]
    return re.sub(r"\w+", lambda name: BOUNDED.get(name[0], name[0]), str(annotation))


def _signature(each: griffe.Object) -> str:
    if isinstance(each, griffe.Class):
        bases = ", ".join(str(base) for base in each.bases)
        head = f"class {each.name}({bases})" if bases else f"class {each.name}"
        fields = [f"    {field.name}: {_kind(field.annotation)}" for field in _fields(each)]
        return "\n".join([f"{head}:", *fields]) if fields else head
    if isinstance(each, griffe.Attribute):
        return f"{each.name} = {each.value}" if each.value is not None else f"{each.name}: {_kind(each.annotation)}"
    assert isinstance(each, griffe.Function)
    line = each.signature()
    if len(line) <= LONGEST_LINE:
        return line
    head, _, rest = line.partition("(")
    inside, _, tail = rest.rpartition(")")
    return "\n".join([f"{head}(", *(f"    {part}," for part in _parted(inside)), f"){tail}"])


def _parted(parameters: str) -> Iterator[str]:
    """Split parameters at the commas outside of brackets."""
    depth, begin = 0, 0
    for offset, character in enumerate(parameters):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            yield parameters[begin:offset].strip()
            begin = offset + 1
    yield parameters[begin:].strip()


def _docstring(each: griffe.Object) -> Iterator[str]:
    if each.docstring is None:
        return
    sections = _sections(each)
    if isinstance(each, griffe.Function) and each.module.path == "urlset.api":
        sections = _with_shared(each, sections, _sections(each.module))
    for section in sections:
        yield ""
        yield from _section(section)


def _sections(each: griffe.Object) -> list[griffe.DocstringSection]:
    assert each.docstring is not None
    # Otherwise each line of a return value, and each word before a colon, would be a value or a type.
    return each.docstring.parse(
        "google", returns_multiple_items=False, returns_named_value=False, warn_missing_types=False
    )


def _with_shared(
    function: griffe.Function, own: list[griffe.DocstringSection], shared: list[griffe.DocstringSection]
) -> list[griffe.DocstringSection]:
    """Return the sections of a function, with the arguments and errors that the docstring of its module describes."""
    about: dict[str, str] = {}
    raised: dict[str, griffe.DocstringRaise] = {}
    for section in (*own, *shared):
        if isinstance(section, griffe.DocstringSectionParameters):
            about = {item.name: item.description for item in section.value} | about
        if isinstance(section, griffe.DocstringSectionRaises):
            raised = {str(item.annotation): item for item in section.value} | raised
    if "config" not in function.parameters:
        raised.pop("ConfigError", None)
    arguments = [
        griffe.DocstringParameter(each.name, description=about[each.name.lstrip("*")], annotation=each.annotation)
        for each in function.parameters
    ]
    added = (griffe.DocstringSectionParameters(arguments), griffe.DocstringSectionRaises(list(raised.values())))
    texts = [each for each in own if isinstance(each, griffe.DocstringSectionText)]
    others = [each for each in own if not isinstance(each, (*map(type, added), griffe.DocstringSectionText))]
    return [*texts, *added, *others]


def _section(section: griffe.DocstringSection) -> Iterator[str]:
    match section:
        case griffe.DocstringSectionText():
            yield section.value
        case griffe.DocstringSectionParameters() | griffe.DocstringSectionAttributes():
            yield f"**{'Arguments' if isinstance(section, griffe.DocstringSectionParameters) else 'Attributes'}**"
            yield ""
            for item in section.value:
                kind = f" ({f'`{item.annotation}`'})" if item.annotation else ""
                group = re.fullmatch(r"Unpack\[(\w+)Fields\]", str(item.annotation))
                link = f" See [{group[1]}Options](#{group[1].lower()}options)." if group else ""
                yield f"- `{item.name}`{kind}: {_line(item.description)}{link}"
        case griffe.DocstringSectionReturns() | griffe.DocstringSectionYields():
            yield f"**{'Returns' if isinstance(section, griffe.DocstringSectionReturns) else 'Yields'}**"
            yield ""
            for given in section.value:
                yield f"- {f'`{given.annotation}`: ' if given.annotation else ''}{_line(given.description)}"
        case griffe.DocstringSectionRaises():
            yield "**Raises**"
            yield ""
            for error in section.value:
                yield f"- `{error.annotation}`: {_line(error.description)}"
        case griffe.DocstringSectionExamples():
            yield "**Example**"
            for kind, text in section.value:
                yield ""
                yield f"```python\n{text}\n```" if kind is griffe.DocstringSectionKind.examples else text
        case griffe.DocstringSectionAdmonition():
            yield f"**{section.title}**"
            yield ""
            text = section.value.description
            yield f"```python\n{text}\n```" if text.startswith(">>>") else text
        case _:
            raise ValueError(f"docstrings of the API have no section {section.kind.value}")


def _line(text: str) -> str:
    return " ".join(text.split())
