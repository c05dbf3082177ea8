/** The path of a value inside a document: keys and list indices. */
export type Path = readonly (string | number)[];

/** A path in its written form: `machine.network.interfaces[0].addresses`, `nodeLabels["a.b/c"]`. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") {
        return `[${step}]`;
      }
      if (!/^[A-Za-z_$][\w$-]*$/.test(step)) {
        return `[${JSON.stringify(step)}]`;
      }
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}
