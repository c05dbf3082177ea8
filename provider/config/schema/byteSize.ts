/**
 * The bytes of a size in Talos' notation: `GB` is 1000³, `GiB` and `Gi` are 1024³, and the unit and
 * the blank before it are optional. Undefined for other texts. Fractions of a byte are cut off.
 * Source: github.com/dustin/go-humanize v1.0.1.
 */
export function parseByteSize(text: string): number | undefined {
  const match = /^([\d,]*\.?[\d,]*)\s*(?:([kmgtpe])(i?)b?|b)?\s*$/i.exec(text);
  const [, number = "", unit = "", binary = ""] = match ?? [];
  const value = Number(number.replaceAll(",", ""));
  if (!/\d/.test(number) || Number.isNaN(value)) {
    return undefined;
  }
  const power = unit === "" ? 0 : "kmgtpe".indexOf(unit.toLowerCase()) + 1;
  const bytes = Math.trunc(value * (binary === "" ? 1000 : 1024) ** power);
  return bytes < 2 ** 64 ? bytes : undefined;
}

/**
 * A number of bytes in go-humanize's notation, with at least two digits: `1.5 GB`, `100 MB`, `999
 * B`.
 */
export function formatByteSize(bytes: number): string {
  if (bytes < 10) {
    return `${bytes} B`;
  }
  const power = Math.floor(Math.log(bytes) / Math.log(1000));
  const value = Math.floor((bytes / 1000 ** power) * 10 + 0.5) / 10;
  const unit = ["B", "kB", "MB", "GB", "TB", "PB", "EB"][power] ?? "EB";
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}
