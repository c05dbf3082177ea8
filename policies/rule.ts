/** Properties by name, as JSON; a secret may be `[secret]`. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource for rules. */
export interface JudgedResource {
  /** Its URN: stack, components, type and name. */
  readonly urn: string;
  /** For example `aws:ec2/instance:Instance`. */
  readonly type: string;
  readonly name: string;
  readonly inputs: Properties;
  /** Its outputs; empty for a new resource. */
  readonly outputs: Properties;
  /** Whether Pulumi refuses to delete or replace it. */
  readonly isProtected: boolean;
}

/** A violation of a rule. */
export interface Violation {
  readonly urn: string;
  /** Name of the resource. */
  readonly subject: string;
  /** What is wrong, and what to do. */
  readonly reason: string;
}

interface RuleBase {
  /** Its name in configuration and reports, for example `encrypted-volumes`. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
}

/** A rule about single resources, which can be checked before their creation. */
export interface ResourceRule extends RuleBase {
  /** The problems of a resource; none for other types and unknown values. */
  readonly judge: (resource: JudgedResource) => readonly string[];
}

/** A rule about all of a stack's resources together. */
export interface StackRule extends RuleBase {
  readonly judgeAll: (resources: readonly JudgedResource[]) => readonly Violation[];
}

/** A rule for one resource, or for all resources of a stack. */
export type Rule = ResourceRule | StackRule;
