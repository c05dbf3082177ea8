import { isMapping } from "../provider/base";

/** What a preview does with a resource. */
export type Operation = "same" | "create" | "update" | "replace" | "delete";

/** A resource in a preview, with secrets as the engine shows them: `[secret]`. */
export interface PreviewedResource {
  readonly urn: string;
  /** Its type without those of its parents, for example `aws:ec2/instance:Instance`. */
  readonly type: string;
  readonly name: string;
  /** URN of its component; empty without one. */
  readonly parent: string;
  readonly operation: Operation;
  /** Whether it is a component, which only groups others. */
  readonly isComponent: boolean;
  /** Its recorded id; empty for a new resource. */
  readonly id: string;
  /** Whether Pulumi refuses to delete or replace it. */
  readonly isProtected: boolean;
  /** Whether Pulumi will refuse after the change. */
  readonly isProtectedAfter: boolean;
  /** Its recorded inputs; empty for a new resource. */
  readonly oldInputs: Properties;
  /** Its recorded outputs; empty for a new resource. */
  readonly oldOutputs: Properties;
  /** Its new inputs; empty for a deleted resource. */
  readonly newInputs: Properties;
  /** Its outputs after the change, as far as the preview knows them; empty for a deleted resource. */
  readonly newOutputs: Properties;
  /** Names of the inputs that change. */
  readonly changes: readonly string[];
  /** Names of the inputs whose change replaces it. */
  readonly replacedBy: readonly string[];
}

/** Properties by name, as JSON has them. */
export type Properties = Readonly<Record<string, unknown>>;

/** The mapping at a key, if there is one. */
export function documentAt(properties: Properties, key: string): Properties | undefined {
  const value = properties[key];
  return isMapping(value) ? value : undefined;
}

/** The display order of names: `m-2` before `m-10`. */
export function compareNames(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
