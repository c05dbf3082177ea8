import { isMap, isScalar, parse, YAMLMap } from "yaml";
import { type ConfigDocument, ConfigTextError, isNone, rootMapping, textAt } from "./configText";

export interface OwnContext {
  readonly name: string;
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
  /** Certificate of the cluster's CA, and the client's certificate and key. */
  readonly credentials: { readonly ca: string; readonly crt: string; readonly key: string };
}

/**
 * Reads a talosconfig with one cluster, as this package writes it.
 *
 * @throws ConfigTextError for other files
 */
export function readOwnContext(talosconfig: string): OwnContext {
  const { context: name = "", contexts } = (parse(talosconfig) ?? {}) as {
    readonly context?: string;
    readonly contexts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  const { ca, crt, key, endpoints, nodes } = contexts?.[name] ?? {};
  if (typeof ca !== "string" || typeof crt !== "string" || typeof key !== "string") {
    throw new ConfigTextError("the stack's talosconfig has no context with ca, crt and key");
  }
  return { name, endpoints: texts(endpoints), nodes: texts(nodes), credentials: { ca, crt, key } };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export class TalosconfigContexts {
  private readonly root: YAMLMap;

  /** @throws ConfigTextError if they are not a mapping */
  constructor(document: ConfigDocument) {
    this.root = rootMapping(document);
    const value = this.root.get("contexts", true) as unknown;
    if (!isNone(value) && !isMap(value)) {
      throw new ConfigTextError(`its "contexts" is not a mapping`);
    }
  }

  names(): readonly string[] {
    return this.map()?.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : [])) ?? [];
  }

  get(name: string): YAMLMap | undefined {
    const value = this.map()?.get(name, true) as unknown;
    return isMap(value) ? value : undefined;
  }

  /** Whether the context of a name has this CA. */
  hasAuthority(name: string, ca: string): boolean {
    const context = this.get(name);
    return context !== undefined && textAt(context, "ca") === ca;
  }

  /** The context of a name, which is added if it is missing. */
  ensure(name: string): YAMLMap {
    const known = this.get(name);
    if (known !== undefined) {
      return known;
    }
    const made = new YAMLMap();
    const contexts = this.map() ?? new YAMLMap();
    contexts.flow = contexts.items.length > 0 && (contexts.flow ?? false);
    contexts.set(name, made);
    this.root.set("contexts", contexts);
    return made;
  }

  delete(name: string): void {
    const contexts = this.map();
    contexts?.delete(name);
    if (contexts?.items.length === 0) {
      contexts.flow = true;
    }
  }

  private map(): YAMLMap | undefined {
    const value = this.root.get("contexts", true) as unknown;
    return isMap(value) ? value : undefined;
  }
}
