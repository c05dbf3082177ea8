import type { YAMLMap } from "yaml";
import { textAt } from "./configText";
import type { KubeconfigEntries, OwnEntries } from "./kubeconfigEntries";

/** The names that a cluster's entries have in a kubeconfig. */
export interface EntryNames {
  readonly clusterName: string;
  readonly userName: string;
  /** Of the context; undefined where its name is chosen apart from the others'. */
  readonly contextName: string | undefined;
}

/**
 * Tells which entries of a kubeconfig are those of one cluster: the cluster that has its server, by
 * the name that the server's certificate is checked for; its user; and contexts of these two.
 */
export class KubeconfigOwner {
  constructor(
    private readonly entries: KubeconfigEntries,
    private readonly own: OwnEntries,
  ) {}

  /** The names that go with a name of the cluster, which may end in a number. */
  named(clusterName: string): EntryNames & { readonly contextName: string } {
    const suffix = clusterName.slice(this.own.clusterName.length);
    const { userName, contextName } = this.own;
    return { clusterName, userName: userName + suffix, contextName: contextName + suffix };
  }

  /** Whether the cluster is there with such names, and with them nobody else. */
  has(names: EntryNames): boolean {
    return this.isOwnCluster(names.clusterName) && !this.isTaken(names);
  }

  /** Whether another cluster has one of such names. */
  isTaken({ clusterName, userName, contextName }: EntryNames): boolean {
    const { entries } = this;
    const hasCluster = this.isOwnCluster(clusterName);
    return (
      (!hasCluster && entries.names("clusters").includes(clusterName)) ||
      // A context whose cluster is gone must not lead to ours all of a sudden.
      (!hasCluster && this.isClusterUsed(clusterName)) ||
      this.contextsOf({ user: userName }).some((context) => clusterOf(context) !== clusterName) ||
      (!hasCluster && entries.names("users").includes(userName)) ||
      (contextName !== undefined &&
        entries.names("contexts").includes(contextName) &&
        !this.isOwnContext(contextName, { clusterName, userName }))
    );
  }

  /** Whether a context leads to the cluster as its user. */
  isOwnContext(name: string, names: Omit<EntryNames, "contextName">): boolean {
    const context = this.entries.get("contexts", name);
    return (
      context !== undefined &&
      clusterOf(context) === names.clusterName &&
      textAt(context, "user") === names.userName
    );
  }

  /** Whether contexts name the cluster. */
  isClusterUsed(clusterName: string): boolean {
    return this.entries.names("contexts").some((name) => {
      const context = this.entries.get("contexts", name);
      return context !== undefined && clusterOf(context) === clusterName;
    });
  }

  private contextsOf({ user }: { readonly user: string }): readonly YAMLMap[] {
    return this.entries.names("contexts").flatMap((name) => {
      const context = this.entries.get("contexts", name);
      return context !== undefined && textAt(context, "user") === user ? [context] : [];
    });
  }

  private isOwnCluster(name: string): boolean {
    const cluster = this.entries.get("clusters", name);
    return (
      cluster !== undefined &&
      serverOf(textAt(cluster, "server"), textAt(cluster, "tls-server-name")) ===
        serverOf(this.own.cluster.server, this.own.cluster["tls-server-name"])
    );
  }
}

function clusterOf(context: YAMLMap): string | undefined {
  return textAt(context, "cluster");
}

/** Name and port of a server; the port alone tells nothing, and an address may be another one today. */
function serverOf(server: string | undefined, certificateName: string | undefined): string {
  if (server === undefined || !URL.canParse(server)) {
    return server ?? "";
  }
  const { hostname, port } = new URL(server);
  return `${certificateName ?? hostname}:${port}`;
}
