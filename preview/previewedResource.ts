/** What a preview says becomes of a resource. */
export type Operation = "same" | "create" | "update" | "replace" | "delete";

/** A resource as a preview sees it, with secrets as the engine shows them: `[secret]`. */
export interface PreviewedResource {
  readonly urn: string;
  /** For example `aws:ec2/instance:Instance`, without its parents'. */
  readonly type: string;
  readonly name: string;
  /** URN of the component it belongs to; empty for what belongs to the stack alone. */
  readonly parent: string;
  readonly operation: Operation;
  /** Whether it only groups others, and is nothing of its own. */
  readonly isComponent: boolean;
  /** Id of what is recorded; empty for what is made. */
  readonly id: string;
  /** Whether Pulumi refuses to delete or replace it. */
  readonly isProtected: boolean;
  /** Whether it will after the change. */
  readonly isProtectedAfter: boolean;
  /** Its inputs as recorded; none for what is made. */
  readonly oldInputs: Properties;
  /** Its outputs as recorded; none for what is made. */
  readonly oldOutputs: Properties;
  /** Its inputs as wanted; none for what is deleted. */
  readonly newInputs: Properties;
  /** Names of the inputs that change. */
  readonly changes: readonly string[];
  /** Names of the inputs whose change replaces it. */
  readonly replacedBy: readonly string[];
}

/** Properties by name, as JSON has them. */
export type Properties = Readonly<Record<string, unknown>>;
