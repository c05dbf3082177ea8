import { resourceDefinitionTable } from "./resourceDefinitionTable";

/** The definition of a resource type. */
export interface ResourceDefinition {
  /** For example `Members.cluster.talos.dev`. */
  readonly type: string;
  readonly displayType: string;
  readonly defaultNamespace: string;
  readonly aliases: readonly string[];
  /** All names of the type, the longest forms first. */
  readonly allAliases: readonly string[];
  readonly printColumns: readonly { readonly name: string; readonly jsonPath: string }[];
  /** Only administrators may read sensitive resources. */
  readonly sensitive: boolean;
}

/** The types of a Talos v1.12 node by their id, the type in lower case. */
export const resourceDefinitions: ReadonlyMap<string, ResourceDefinition> = new Map(
  resourceDefinitionTable
    .map(parseRow)
    .map((definition) => [definition.type.toLowerCase(), definition]),
);

function parseRow(row: string): ResourceDefinition {
  const [name = "", displayType = "", defaultNamespace = "", aliasList = "", columns = ""] =
    row.split(" | ");
  const type = name.replace(/[!~]+$/, "");
  const aliases = aliasList.split(",");
  const parts = type.toLowerCase().split(".");
  const automatic = name.endsWith("~")
    ? []
    : parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("."));
  return {
    type,
    displayType,
    defaultNamespace,
    aliases,
    allAliases: [...automatic, ...aliases],
    printColumns: columns
      .split(";")
      .filter((column) => column !== "")
      .map((column) => {
        const end = column.indexOf("=");
        return { name: column.slice(0, end), jsonPath: column.slice(end + 1) };
      }),
    sensitive: name.endsWith("!"),
  };
}
