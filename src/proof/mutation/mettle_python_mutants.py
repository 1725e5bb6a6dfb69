"""Lists the mutants of Python sources, and where their statements run. Reads and writes JSON; executes no code of the sources."""

import ast
import json
import sys

COMPARED = {
    ast.Lt: ("<", "<=", ">="),
    ast.LtE: ("<=", "<", ">"),
    ast.Gt: (">", ">=", "<="),
    ast.GtE: (">=", ">", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
CALCULATED = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
# The expression that runs first in a statement with a body; a call cannot stand before the statement on its line.
HEADS = {
    ast.If: "test",
    ast.While: "test",
    ast.For: "iter",
    ast.AsyncFor: "iter",
    ast.Match if hasattr(ast, "Match") else ast.If: "subject" if hasattr(ast, "Match") else "test",
}
SILENT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)


class Source:
    """A text with the places of its nodes as offsets of characters."""

    def __init__(self, text):
        self.text = text
        self.starts = [0]
        for line in text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def at(self, line, column):
        start = self.starts[line - 1]
        row = self.text[start : self.starts[line] - 1]
        return start + len(row.encode()[:column].decode())

    def wide(self, offset):
        """The offset in units of UTF-16, as JavaScript counts."""
        return len(self.text[:offset].encode("utf-16-le")) // 2

    def span(self, node):
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def of(self, node):
        start, end = self.span(node)
        return self.text[start:end]


def mutants_of(source, tree):
    """Yields (node, operator, start, end, new text)."""
    for node in executed(tree):
        yield from changes_of(source, node)


def executed(tree):
    """Nodes without annotations, decorators, parts of f-strings and documentation."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.JoinedStr):
            continue
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params") or name == "pattern":
                continue
            children = value if isinstance(value, list) else [value]
            for child in children:
                if isinstance(child, ast.AST) and not is_documentation(child):
                    stack.append(child)


def is_documentation(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def changes_of(source, node):
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        old, *others = COMPARED[type(node.ops[0])]
        for other in others:
            yield between(source, node, "EqualityOperator", (node.left, node.comparators[0]), old, other)
    elif isinstance(node, ast.BinOp) and type(node.op) in CALCULATED:
        if not is_formatted_text(node):
            yield between(source, node, "ArithmeticOperator", (node.left, node.right), *CALCULATED[type(node.op)])
    elif isinstance(node, ast.AugAssign) and type(node.op) in CALCULATED:
        old, new = CALCULATED[type(node.op)]
        yield between(source, node, "AssignmentOperator", (node.target, node.value), old + "=", new + "=")
    elif isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for pair in zip(node.values, node.values[1:]):
            yield between(source, node, "LogicalOperator", pair, old, new)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield replaced(source, node, "UnaryOperator", f"({source.of(node.operand)})")
    elif isinstance(node, ast.Constant):
        yield from constant(source, node)
    elif isinstance(node, ast.Return) and node.value is not None and not is_null(node.value):
        yield replaced(source, node.value, "ReturnValue", "None")
    elif isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Await)):
        yield replaced(source, node.value, "CallStatement", "None")
    if isinstance(node, (ast.If, ast.While, ast.IfExp)) and not isinstance(node.test, ast.Constant):
        for value in ("True", "False"):
            if not (isinstance(node, ast.While) and value == "True"):
                yield replaced(source, node.test, "ConditionalExpression", value)


def constant(source, node):
    value = node.value
    if isinstance(value, bool):
        yield replaced(source, node, "BooleanLiteral", str(not value))
    elif isinstance(value, (int, float)):
        yield replaced(source, node, "NumericLiteral", f"({source.of(node)} + 1)")
    elif isinstance(value, str):
        yield replaced(source, node, "StringLiteral", '""' if value else '"mutant"')


def is_null(node):
    return isinstance(node, ast.Constant) and node.value is None


def is_formatted_text(node):
    """`"%s" % name`: its operator is no arithmetic."""
    return isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)


def replaced(source, node, operator, by):
    start, end = source.span(node)
    return node, operator, start, end, by


def between(source, node, operator, pair, old, new):
    start, end = source.span(pair[0])[1], source.span(pair[1])[0]
    at = source.text.find(old, start, end)
    return (node, operator, at, at + len(old), new) if at != -1 else None


def marks_of(tree):
    """Yields (statement, head): a call stands before the statement, or in its head."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if not isinstance(statements, list):
                continue
            for statement in statements:
                if isinstance(statement, SILENT) or is_documentation(statement) or not isinstance(statement, ast.stmt):
                    continue
                head = getattr(statement, HEADS.get(type(statement), ""), None)
                if head is None and isinstance(statement, (ast.With, ast.AsyncWith)):
                    head = statement.items[0].context_expr
                if head is not None or not hasattr(statement, "body"):
                    yield statement, head


def definition_in(source, tree):
    """Where a definition can stand: before the first statement after the documentation and imports of the future."""
    for statement in tree.body:
        if is_documentation(statement) or isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            continue
        lines = [statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", []))]
        start = source.at(min(lines), 0)
        return {"at": source.wide(start), "isLine": hasattr(statement, "body") or hasattr(statement, "subject")}
    return {"at": source.wide(len(source.text)), "isLine": True}


def placed_marks(source, tree, lines):
    all_marks = list(marks_of(tree))
    owned = {}
    for line in lines:
        around = [one for one in enumerate(all_marks) if one[1][0].lineno <= line <= one[1][0].end_lineno]
        if around:
            inner = min(around, key=lambda one: one[1][0].end_lineno - one[1][0].lineno)[0]
            owned.setdefault(inner, []).append(line)
    for index, own in owned.items():
        statement, head = all_marks[index]
        start, end = source.span(statement)
        first, last = (start, start) if head is None else source.span(head)
        before, after = ("@; ", "") if head is None else ("(@ or (", "))")
        yield {
            "start": source.wide(start),
            "end": source.wide(end),
            "first": source.wide(first),
            "last": source.wide(last),
            "before": before,
            "after": after,
            "lines": own,
        }


def changed(text, tree, start, end, by):
    """Whether the mutant is another program that Python can read."""
    try:
        return ast.dump(ast.parse(text[:start] + by + text[end:])) != tree
    except (SyntaxError, ValueError):
        return False


def read(path, text, lines):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    source = Source(text)
    wanted = set(lines)
    dumped = ast.dump(tree)
    found = []
    for mutant in mutants_of(source, tree):
        if mutant is None:
            continue
        node, operator, start, end, by = mutant
        inside = all(line in wanted for line in range(node.lineno, node.end_lineno + 1)) if not isinstance(
            node, (ast.If, ast.While)
        ) else node.test.lineno in wanted
        if inside and changed(text, dumped, start, end, by):
            line = text.count("\n", 0, start) + 1
            found.append(
                {
                    "path": path,
                    "line": line,
                    "start": source.wide(start),
                    "end": source.wide(end),
                    "by": by,
                    "operator": operator,
                }
            )
    return {"path": path, "mutants": found, "marks": list(placed_marks(source, tree, wanted)), "definition": definition_in(source, tree)}


def main():
    files = json.load(sys.stdin)
    json.dump([read(one["path"], one["text"], one["lines"]) for one in files], sys.stdout)


main()
