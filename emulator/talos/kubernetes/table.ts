/** A row of a table: its cells and its object. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly object: { readonly metadata: object };
}

/**
 * A list as a `Table` for kubectl. Rows contain the objects' metadata, or the whole objects if the
 * client requests them.
 */
export function tableObject(
  columns: readonly (readonly [name: string, priority: number])[],
  rows: readonly TableRow[],
  options: { readonly resourceVersion: string; readonly includeObject: string | undefined },
) {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: options.resourceVersion },
    columnDefinitions: columns.map(([name, priority]) => ({
      name,
      type: "string",
      format: name === "Name" ? "name" : "",
      description: "",
      priority,
    })),
    rows: rows.map(({ cells, object }) => ({
      cells,
      ...(options.includeObject === "None"
        ? {}
        : { object: options.includeObject === "Object" ? object : partialObject(object) }),
    })),
  };
}

/** An object's metadata, without the rest of it. */
export function partialObject({ metadata = {} }: { readonly metadata?: unknown }) {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
