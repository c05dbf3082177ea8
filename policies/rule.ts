/** Properties by name, as JSON has them; what is secret may stand there as `[secret]`. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource as rules see it. */
export interface JudgedResource {
  /** Names the stack, the components around the resource, its type and its name. */
  readonly urn: string;
  /** For example `aws:ec2/instance:Instance`. */
  readonly type: string;
  readonly name: string;
  readonly inputs: Properties;
  /** None of what isn't made yet. */
  readonly outputs: Properties;
  /** Whether Pulumi refuses to delete or replace it. */
  readonly isProtected: boolean;
}

/** Something that a rule forbids. */
export interface Violation {
  readonly urn: string;
  /** Name of the resource. */
  readonly subject: string;
  /** What is wrong, and what to do. */
  readonly reason: string;
}

/** What all rules have. */
interface RuleBase {
  /** For configuration and reports, for example `encrypted-volumes`. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
}

/** A rule about each resource by itself, which can be judged before the resource is made. */
export interface ResourceRule extends RuleBase {
  /** What is wrong with it; nothing for resources of other kinds and for what isn't known yet. */
  readonly judge: (resource: JudgedResource) => readonly string[];
}

/** A rule about all of a stack's resources together. */
export interface StackRule extends RuleBase {
  readonly judgeAll: (resources: readonly JudgedResource[]) => readonly Violation[];
}

/** A rule for one resource, or for all resources of a stack. */
export type Rule = ResourceRule | StackRule;
