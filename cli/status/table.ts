import { styleText } from "node:util";

export type CellStyle = "plain" | "green" | "yellow" | "red" | "dim";

export interface Cell {
  readonly text: string;
  readonly style?: CellStyle;
}

export interface Column {
  readonly title: string;
  /**
   * On a narrow terminal, columns with the highest numbers are left out first. Columns without one
   * always stay.
   */
  readonly spare?: number;
}

export interface TableLook {
  readonly color: boolean;
  /** Characters per line; undefined for unlimited. */
  readonly width: number | undefined;
}

const GAP = "  ";

/** A table of plain texts. A column is its title alone, if it always stays. */
export function renderTexts(
  columns: readonly (string | Column)[],
  rows: readonly (readonly (string | undefined)[])[],
  look: TableLook,
): string {
  return renderTable(
    columns.map((column) => (typeof column === "string" ? { title: column } : column)),
    rows.map((row) => row.map((text = "") => ({ text }))),
    look,
  ).join("\n");
}

/**
 * Rows under their titles, each column as wide as its widest cell. If that is wider than the
 * terminal, columns are left out, and then lines are cut.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { color, width }: TableLook,
): readonly string[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.text.length ?? 0)),
  );
  const shown = fit(columns, widths, width);
  const paint = (text: string, style: CellStyle | "bold") =>
    color && style !== "plain" ? styleText(style, text, { validateStream: false }) : text;
  const line = (cells: readonly Cell[], head: boolean) => {
    let room = width ?? Infinity;
    const parts = shown.map((column, position) => {
      const { text = "", style = "plain" } = cells[column] ?? {};
      const isLast = position === shown.length - 1;
      const padded = isLast ? text : text.padEnd(widths[column] ?? 0) + GAP;
      const fits = padded.trimEnd().length <= room;
      const cut = fits ? padded.slice(0, room) : `${padded.slice(0, room - 1)}…`.slice(0, room);
      room = fits ? room - cut.length : 0;
      const inner = cut.trimEnd();
      return inner === "" ? cut : paint(inner, head ? "bold" : style) + cut.slice(inner.length);
    });
    return parts.join("").trimEnd();
  };
  return [
    line(
      columns.map(({ title }) => ({ text: title })),
      true,
    ),
    ...rows.map((row) => line(row, false)),
  ];
}

/** The positions of the columns that are shown. */
function fit(
  columns: readonly Column[],
  widths: readonly number[],
  width: number | undefined,
): readonly number[] {
  let shown = columns.map((_, index) => index);
  const total = () =>
    shown.reduce((sum, column) => sum + (widths[column] ?? 0) + GAP.length, -GAP.length);
  const spare = columns
    .flatMap((column, index) => (column.spare === undefined ? [] : [{ index, rank: column.spare }]))
    .sort((one, other) => other.rank - one.rank);
  for (const { index } of spare) {
    if (width === undefined || total() <= width) {
      break;
    }
    shown = shown.filter((column) => column !== index);
  }
  return shown;
}
