/** A table with columns of equal width, as the formatter of this repository wants it. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[], fill = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = line(
    head.map(() => ""),
    "-",
  );
  return [line(head), rule, ...body.map((row) => line(row))].join("\n");
}

/** Two digits, more before the point if need be. */
export function significant(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}

/**
 * A page with one of its sections written anew; a new one goes before the others.
 *
 * @param section its heading of the second level, and its text
 */
export function withSection(page: string, section: string): string {
  const heading = section.slice(0, section.indexOf("\n"));
  const [title = "", ...sections] = page.split(/^(?=## )/m);
  const others = sections.filter((each) => !each.startsWith(`${heading}\n`));
  const place = sections.findIndex((each) => each.startsWith(`${heading}\n`));
  others.splice(Math.max(place, 0), 0, `${section.trimEnd()}\n\n`);
  return `${[title, ...others].join("").trimEnd()}\n`;
}
