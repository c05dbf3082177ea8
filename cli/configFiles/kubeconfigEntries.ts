import { isMap, isSeq, parse, YAMLMap, YAMLSeq } from "yaml";
import { isProperties } from "../properties";
import {
  type ConfigDocument,
  ConfigTextError,
  isNone,
  rootMapping,
  setValue,
  textAt,
  textScalar,
} from "./configText";

export type KubeconfigList = "clusters" | "contexts" | "users";

const LISTS = ["clusters", "contexts", "users"] as const satisfies readonly KubeconfigList[];

/** The content field of an entry, besides its name. */
const WHAT = { clusters: "cluster", contexts: "context", users: "user" } as const;

export interface OwnEntries {
  readonly clusterName: string;
  readonly userName: string;
  readonly contextName: string;
  readonly cluster: Readonly<Record<string, string>>;
  /** Other fields of the context, for example its namespace. */
  readonly context: Readonly<Record<string, string>>;
  /** Texts, or `exec` with the program that logs in. */
  readonly user: Readonly<Record<string, unknown>>;
}

/**
 * Reads a kubeconfig with one cluster, as this package writes it.
 *
 * @throws ConfigTextError for other files
 */
export function readOwnEntries(kubeconfig: string): OwnEntries {
  const { clusters, users, contexts } = (parse(kubeconfig) ?? {}) as Partial<
    Record<KubeconfigList, readonly Record<string, unknown>[] | null>
  >;
  const [cluster, user, context] = [clusters?.[0], users?.[0], contexts?.[0]];
  const names = [cluster?.name, user?.name, context?.name];
  const [clusterName, userName, contextName] = names;
  if (
    typeof clusterName !== "string" ||
    typeof userName !== "string" ||
    typeof contextName !== "string" ||
    !isTexts(cluster?.cluster) ||
    !isTexts(context?.context) ||
    !isProperties(user?.user)
  ) {
    throw new ConfigTextError("the stack's kubeconfig has no cluster, user and context");
  }
  return {
    clusterName,
    userName,
    contextName,
    cluster: cluster.cluster,
    context: context.context,
    user: user.user,
  };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isProperties(value) && Object.values(value).every((each) => typeof each === "string");
}

/** The entries of a kubeconfig by list and name. Invalid entries are not changed. */
export class KubeconfigEntries {
  private readonly root: YAMLMap;

  /** @throws ConfigTextError if a list is not a list */
  constructor(document: ConfigDocument) {
    this.root = rootMapping(document);
    for (const list of LISTS) {
      const value = this.root.get(list, true) as unknown;
      if (!isNone(value) && !isSeq(value)) {
        throw new ConfigTextError(`its "${list}" is not a list`);
      }
    }
  }

  names(list: KubeconfigList): readonly string[] {
    return this.maps(list).flatMap((entry) => textAt(entry, "name") ?? []);
  }

  count(): number {
    return LISTS.reduce((sum, list) => sum + this.names(list).length, 0);
  }

  get(list: KubeconfigList, name: string): YAMLMap | undefined {
    const entry = this.maps(list).find((each) => textAt(each, "name") === name);
    const value = entry?.get(WHAT[list], true) as unknown;
    return isMap(value) ? value : undefined;
  }

  /** Sets fields of the entry with a name, and adds the entry if it is missing. */
  set(list: KubeconfigList, name: string, fields: Readonly<Record<string, unknown>>): void {
    const known = this.get(list, name);
    const target = known ?? new YAMLMap();
    for (const [key, value] of Object.entries(fields)) {
      setValue(target, key, value);
    }
    if (known === undefined) {
      this.delete(list, name);
      this.list(list).add(this.entry(list, name, target));
    }
  }

  delete(list: KubeconfigList, name: string): void {
    const value = this.root.get(list, true) as unknown;
    if (isSeq(value)) {
      value.items = value.items.filter((item) => !isMap(item) || textAt(item, "name") !== name);
      value.flow = value.items.length === 0 || (value.flow ?? false);
    }
  }

  private entry(list: KubeconfigList, name: string, value: YAMLMap): YAMLMap {
    const entry = new YAMLMap();
    // In alphabetical order, as kubectl writes them.
    for (const key of ["name", WHAT[list]].sort()) {
      entry.set(key, key === "name" ? textScalar(name) : value);
    }
    return entry;
  }

  private maps(list: KubeconfigList): readonly YAMLMap[] {
    const value = this.root.get(list, true) as unknown;
    return isSeq(value) ? value.items.filter((item): item is YAMLMap => isMap(item)) : [];
  }

  private list(list: KubeconfigList): YAMLSeq {
    const value = this.root.get(list, true) as unknown;
    if (isSeq(value)) {
      // An empty list is written as `[]`, one with entries in block style.
      value.flow = value.items.length > 0 && (value.flow ?? false);
      return value;
    }
    const made = new YAMLSeq();
    this.root.set(list, made);
    return made;
  }
}
