import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SchemaFile } from "../../provider/config/schema/configSchema";
import {
  type MachinerySource,
  readMachinerySource,
  readTalosSource,
  type TalosSource,
} from "../talosSource";
import type { ApiDescription } from "./apiDescription";

/** The folders of a release's two Go modules. */
export interface TalosModules {
  /** `v1.14.1`. */
  readonly release: string;
  /** Of github.com/siderolabs/talos. */
  readonly talos: string;
  /** Of github.com/siderolabs/talos/pkg/machinery, which the other one leaves out. */
  readonly machinery: string;
}

/** What can be compared between two releases of Talos. */
export interface ReleaseFacts extends SourceFacts, GeneratedFacts {}

/** What the sources of a release say. */
export interface SourceFacts {
  readonly release: string;
  readonly talos: TalosSource;
  readonly machinery: MachinerySource;
  /** The bodies of the functions of a version contract, by name. */
  readonly contractFunctions: Texts;
  /** Texts and numbers of machinery's constants, as Go writes them, by name. */
  readonly constants: Texts;
  /** The fields of each type of resource, with their types, by the type: `Nodenames.kubernetes.talos.dev`. */
  readonly resources: Readonly<Record<string, Texts>>;
  /** The ids of the services that machined runs, sorted. */
  readonly services: readonly string[];
  /** The release of Kubernetes' libraries that Talos is built with, `v0.37.2`. */
  readonly kubernetesLibraries: string;
}

/** What programs print that are built with a release; undefined where they can't be built. */
export interface GeneratedFacts {
  readonly documents: SchemaFile | undefined;
  readonly kubelet: SchemaFile | undefined;
  readonly api: ApiDescription | undefined;
}

type Texts = Readonly<Record<string, string>>;

/**
 * Reads the sources of a release.
 *
 * @throws Error if a place that each known release has is empty: it has moved
 */
export function readSourceFacts({ release, talos, machinery }: TalosModules): SourceFacts {
  const contract = readFileSync(join(machinery, "config/contract.go"), "utf8");
  const constants = readFileSync(join(machinery, "constants/constants.go"), "utf8");
  const goMod = readFileSync(join(talos, "go.mod"), "utf8");
  return {
    release,
    talos: readTalosSource(talos, release),
    machinery: readMachinerySource(machinery, release),
    contractFunctions: checked(
      "the functions of version contracts (config/contract.go)",
      matches(contract, /^func \(\w+ \*VersionContract\) (\w+)\(\) bool \{\n([^]*?)\n\}/gm),
    ),
    constants: checked(
      "the constants of machinery (constants/constants.go)",
      matches(constants, /^\t(\w+)\s+= ("[^"\n]*"|[\d_.]+)/gm),
    ),
    resources: checked("the types of resources", resourcesIn(join(machinery, "resources"))),
    services: checked(
      "the services of machined",
      servicesIn(join(talos, "internal/app/machined/pkg")),
    ),
    kubernetesLibraries: /^\s*k8s\.io\/kubelet (v\S+)/m.exec(goMod)?.[1] ?? "",
  };
}

/** The texts of the Go files in a folder, without tests. */
function goFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"))
    .map((file) => readFileSync(join(folder, file), "utf8"));
}

/** A service says its id as a text, or as a constant of its own package or of one beside it. */
function servicesIn(machined: string): string[] {
  const own = goFiles(join(machined, "system/services")).join("\n");
  const ids = [
    ...own.matchAll(/\) ID\((?:\w+ )?runtime\.Runtime\) string\s+\{\s*return (".*?"|[\w.]+)\s*\}/g),
  ];
  return ids
    .flatMap(([, id = ""]) => {
      const [constant = "", folder] = id.split(".").reverse();
      const text = folder === undefined ? own : goFiles(join(machined, folder)).join("\n");
      const value = new RegExp(`\\b${constant}\\s*=\\s*"([\\w-]+)"`).exec(text)?.[1];
      return id.startsWith('"') ? id.slice(1, -1) : (value ?? []);
    })
    .sort();
}

function resourcesIn(folder: string): Record<string, Texts> {
  const packages = readdirSync(folder, { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  );
  return Object.assign(
    {},
    ...packages.map(({ name }) => resourcesOfPackage(goFiles(join(folder, name)))),
  ) as Record<string, Texts>;
}

/** The types of resources that the files of a Go package define. */
function resourcesOfPackage(files: readonly string[]): Record<string, Texts> {
  const structs = matches(files.join("\n"), /^type (\w+) struct \{\n([^]*?)\n\}/gm);
  const found = files.flatMap((text) => {
    const specs = matches(text, /^type (\w+) = typed\.Resource\[(\w+),/gm);
    const types = matches(text, /^(?:const )?\t?(\w+)Type\s+= resource\.Type\("([^"]+)"\)/gm);
    const [onlySpec, ...others] = Object.values(specs);
    return Object.entries(types).map(([name, type]) => {
      const spec = specs[name] ?? (others.length === 0 ? onlySpec : undefined);
      return [type, spec === undefined ? {} : fieldsOf(spec, structs)] as const;
    });
  });
  return Object.fromEntries(found);
}

/** The fields of a struct as YAML names them, with those of structs of the same package within. */
function fieldsOf(struct: string, structs: Texts, outer: readonly string[] = []): Texts {
  const fields = Object.entries(
    matches(structs[struct] ?? "", /^\t\w+\s+(.+?)\s+`yaml:"([^",]+)[^\n]*$/gm, "swapped"),
  );
  const all = fields.flatMap(([name, type]) => {
    const inner = type.replace(/^(?:\*|\[\]|map\[\w+\])+/, "");
    const within =
      inner in structs && !outer.includes(inner)
        ? Object.entries(fieldsOf(inner, structs, [...outer, struct]))
        : [];
    return [
      [name, type] as const,
      ...within.map(([child, each]) => [`${name}.${child}`, each] as const),
    ];
  });
  return Object.fromEntries(all);
}

/** The second groups of all matches by their first, or the other way round. */
function matches(text: string, pattern: RegExp, order?: "swapped"): Record<string, string> {
  const found = [...text.matchAll(pattern)].map(([, first = "", second = ""]) =>
    order === "swapped" ? [second, first] : [first, second],
  );
  return Object.fromEntries(found) as Record<string, string>;
}

function checked<T extends object>(what: string, found: T): T {
  if (Object.keys(found).length === 0) {
    throw new Error(
      `${what} have moved in the sources of Talos: correct scripts/adopt/releaseFacts.ts`,
    );
  }
  return found;
}
