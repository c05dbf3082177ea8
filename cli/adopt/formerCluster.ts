import type { FormerResource } from "./formerResource";

export interface FormerMachine {
  /** What the tool calls it. */
  readonly address: string;
  /** A name of it that no other machine of the cluster has: `worker-2`. */
  readonly name: string;
  /** Its EC2 instance, or its address where the tool made no instance with that address. */
  readonly machineId: string;
  readonly node: string;
  /** The Talos API to dial. */
  readonly endpoint: string;
  /** The configuration that it has, YAML. Secret. */
  readonly configuration: string;
  /** The patches that people wrote, in their order; undefined where the tool records none. */
  readonly patches: readonly string[] | undefined;
  /** What generated its configuration, which machines of one kind share. */
  readonly block: string;
  /** The contract that it was generated with; undefined where the tool records none. */
  readonly contract: string | undefined;
  /** Whether the tool wipes it when it deletes its resource. */
  readonly isWiped: boolean;
}

export interface FormerCluster {
  readonly name: string;
  /** The text of its secrets bundle, or of a control plane machine's configuration. Secret. */
  readonly secrets: string;
  /** The contract of its secrets; undefined where the tool records none. */
  readonly contract: string | undefined;
  readonly machines: readonly FormerMachine[];
  /** The resources of Talos that the tool manages for it. */
  readonly managed: readonly FormerResource[];
}
