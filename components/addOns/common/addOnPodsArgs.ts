/** Settings for the pods of an add-on that this package writes objects for. */
export interface AddOnPods {
  /** The release, for example `v1.37.1`. Default: one that supports the Kubernetes minor. */
  readonly version?: string;
  /**
   * Images in place of upstream's, by the name of their container: of a registry of yours, or of one
   * content, `ghcr.io/fluent/fluent-bit@sha256:…`. `version` still decides the flags. Default: upstream's,
   * by their version.
   */
  readonly images?: Readonly<Record<string, string>>;
  /**
   * Requests and limits of the main container, for example `{requests: {cpu: "100m", memory:
   * "200Mi"}}`. They replace the default as a whole. Default: upstream's.
   */
  readonly resources?: ContainerResources;
  /**
   * Additional flags of its program, by name without dashes. A list repeats the flag. A flag that
   * the add-on has already is replaced. Nothing checks them before the program starts. Default:
   * none.
   */
  readonly extraArgs?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Additional taints that its pods tolerate. Default: those of the machines that it is meant for.
   */
  readonly tolerations?: readonly PodToleration[];
}

/** `AddOnPods` of an add-on that can have several pods. */
export interface ReplicatedAddOnPods extends AddOnPods {
  /**
   * Number of pods. One works, and the others take over if it fails. Pods that call AWS run on
   * control plane machines, at most one on each. Default: 1 or 2, as upstream; 1 with one control
   * plane machine.
   */
  readonly replicas?: number;
}

/** CPU and memory of a container, as Kubernetes writes them: `100m`, `200Mi`. */
export interface ContainerResources {
  /** What the container gets at least. */
  readonly requests?: Readonly<Record<string, string>>;
  /** What the container gets at most. */
  readonly limits?: Readonly<Record<string, string>>;
}

/** A taint that a pod tolerates, with the fields of Kubernetes. */
export interface PodToleration {
  /** Key of the taint. Default: every key. */
  readonly key?: string;
  /** How `value` is compared. Default: `Equal`. */
  readonly operator?: "Exists" | "Equal";
  /** Value of the taint. */
  readonly value?: string;
  /** Effect of the taint. Default: every effect. */
  readonly effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  /** How long a pod stays on the node with `NoExecute`. Default: forever. */
  readonly tolerationSeconds?: number;
}
