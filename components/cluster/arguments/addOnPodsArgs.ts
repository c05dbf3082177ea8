/** What is usual to change about the pods of an add-on that this package describes itself. */
export interface AddOnPods {
  /** The release, for example `v1.35.2`. Default: one that goes with the Kubernetes minor. */
  readonly version?: string;
  /**
   * What the main container asks for and may use, in place of the default as a whole, for example
   * `{requests: {cpu: "100m", memory: "200Mi"}}`. Default: what its makers suggest.
   */
  readonly resources?: ContainerResources;
  /**
   * More flags of its program, by name without dashes; several values give the flag several times. One that
   * the add-on has already is replaced. Nothing checks them before the program starts. Default: none.
   */
  readonly extraArgs?: Readonly<Record<string, string | readonly string[]>>;
  /** More taints that its pods tolerate. Default: those of the machines that it is meant for. */
  readonly tolerations?: readonly PodToleration[];
}

/** `AddOnPods` of an add-on that can run more than once. */
export interface ReplicatedAddOnPods extends AddOnPods {
  /**
   * How many pods there are, of which one works while the others wait for it to fail. Those that call AWS
   * run on control plane machines, one on each at most. Default: 1 or 2, as its makers have it; 1 with one
   * control plane machine.
   */
  readonly replicas?: number;
}

/** CPU and memory of a container, as Kubernetes writes them: `100m`, `200Mi`. */
export interface ContainerResources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** A taint that a pod tolerates, in the words of Kubernetes. */
export interface PodToleration {
  readonly key?: string;
  readonly operator?: "Exists" | "Equal";
  readonly value?: string;
  readonly effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  readonly tolerationSeconds?: number;
}
