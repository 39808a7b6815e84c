/**
 * The declarations that the entries of the package lead to, as text without comments and private members: a
 * change of a signature, of an option, or of a type that one of them names is a difference in it. Reads the
 * files that `npm run build` made.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** A name in a file. "*" stands for all that the file exports. */
interface Place {
  readonly path: string;
  readonly name: string;
}

interface Declared {
  readonly file: ts.SourceFile;
  /** Statements by the names that they declare: overloads and merged declarations are several. */
  readonly statements: ReadonlyMap<string, readonly ts.Statement[]>;
  /** Names that this file has from others, or by another name, for itself and for those that import them. */
  readonly others: ReadonlyMap<string, Place>;
  /** Files whose exports are exports of this one. */
  readonly stars: readonly string[];
}

/** @param entries paths of their declarations */
export function publicDeclarations(entries: readonly string[]): string {
  const files = new Map<string, Declared>();
  const found = new Map<string, Set<ts.Statement>>();
  const seen = new Set<string>();
  const open: Place[] = entries.map((path) => ({ path, name: "*" }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, name } = next;
    if (seen.has(`${path}#${name}`)) continue;
    seen.add(`${path}#${name}`);
    const declared = files.get(path) ?? parse(path);
    files.set(path, declared);
    const { statements, others, stars } = declared;
    if (name === "*")
      for (const each of [...statements.keys(), ...others.keys()]) open.push({ path, name: each });
    for (const star of stars) open.push({ path: star, name });
    const other = others.get(name);
    if (other !== undefined) open.push(other);
    for (const statement of statements.get(name) ?? []) {
      found.set(path, (found.get(path) ?? new Set()).add(statement));
      for (const mentioned of identifiersIn(statement)) open.push({ path, name: mentioned });
    }
  }
  const sections = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, kept]) => {
      const declared = files.get(path) ?? parse(path);
      const printed = declared.file.statements.filter((statement) => kept.has(statement));
      return [`// ${path}`, ...printed.map((statement) => print(statement, declared.file))].join("\n");
    });
  return `${sections.join("\n\n")}\n`;
}

function parse(path: string): Declared {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022);
  const statements = new Map<string, ts.Statement[]>();
  const others = new Map<string, Place>();
  const stars: string[] = [];
  for (const statement of file.statements) {
    for (const name of namesOf(statement)) statements.set(name, [...(statements.get(name) ?? []), statement]);
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const from = pathOf(statement.moduleSpecifier, path);
    if (from === undefined) continue;
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause;
    if (bindings === undefined && ts.isExportDeclaration(statement)) stars.push(from);
    if (bindings === undefined || ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) continue;
    for (const { name, propertyName = name } of bindings.elements) {
      // `export { name }` leads to the statement or the import of this name.
      if (from === path && name.text === propertyName.text) continue;
      others.set(name.text, { path: from, name: propertyName.text });
    }
  }
  return { file, statements, others, stars };
}

/** The file of an import or export, this one if it names none; undefined for another package. */
function pathOf(specifier: ts.Expression | undefined, path: string): string | undefined {
  if (specifier === undefined) return path;
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return undefined;
  return join(dirname(path), specifier.text.replace(/\.js$/, ".d.ts"));
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? name.text : [],
    );
  }
  const isNamed =
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** Names of types and of values whose types are asked for. Names of members and parameters lead nowhere. */
function identifiersIn(statement: ts.Statement): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (isPrivate(node)) return;
    if (ts.isTypeReferenceNode(node)) names.add(leftmost(node.typeName));
    else if (ts.isTypeQueryNode(node)) names.add(leftmost(node.exprName));
    else if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression))
      names.add(node.expression.text);
    else if (ts.isComputedPropertyName(node) && ts.isIdentifier(node.expression))
      names.add(node.expression.text);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return names;
}

const leftmost = (name: ts.EntityName): string => (ts.isIdentifier(name) ? name.text : leftmost(name.left));

const isPrivate = (node: ts.Node): boolean =>
  (ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
  (ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword));

const printer = ts.createPrinter({ removeComments: true });

function print(statement: ts.Statement, file: ts.SourceFile): string {
  const { transformed } = ts.transform(statement, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node | undefined =>
        isPrivate(node) ? undefined : ts.visitEachChild(node, visit, context);
      return ts.visitEachChild(root, visit, context);
    },
  ]);
  return transformed.map((each) => printer.printNode(ts.EmitHint.Unspecified, each, file)).join("\n");
}
