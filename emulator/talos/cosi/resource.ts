import type { YamlValue } from "../../../provider/config/machineConfig";

/** A COSI resource as the node wants it to be: names, owner and spec in both encodings. */
export interface ResourceValue {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
  /** The controller that keeps it; empty for what machined itself stores. */
  readonly owner: string;
  /** None if left out. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: YamlValue;
  /** The spec in protobuf, as clients with typed resources read it. */
  readonly proto: Buffer;
}

/** A resource as it is stored. */
export interface StoredResource extends ResourceValue {
  /** Counts changes from 1. */
  readonly version: number;
  readonly created: Date;
  readonly updated: Date;
  /** The spec in YAML with Talos' indentation. */
  readonly yaml: string;
}

/** Where the resources of one type in one namespace come from. */
export interface ResourceSource {
  readonly namespace: string;
  readonly type: string;
  /** What there is now. */
  values(): readonly ResourceValue[];
}
