import type { AwsClients } from "./awsClients";
import type { Inputs } from "./inputs";
import type { PropertyTable } from "./propertyTable";
import type { Values } from "./value";

/** What an operation on a resource works with. */
export interface OperationContext {
  /** Clients for the resource's own region. */
  readonly aws: AwsClients;
  readonly region: string;
  /** Aborted when the operation's time is up or the engine cancels. */
  readonly signal: AbortSignal;
  /** A resource's tags together with the provider's default tags. */
  tagsOf(inputs: Inputs): Record<string, string>;
}

/** One thing wrong with the inputs of a resource. */
export interface CheckFailure {
  /** Dotted path of the property. */
  readonly property: string;
  readonly reason: string;
}

/** What changes in an update. */
export interface Change {
  readonly olds: Inputs;
  readonly news: Inputs;
  /** The resource's outputs before the update. */
  readonly state: Inputs;
  /** Whether any of the named properties differs between `olds` and `news`. */
  readonly touches: (...names: string[]) => boolean;
}

/** How tags of a resource are changed. */
export interface Tagging {
  change(
    context: OperationContext,
    id: string,
    tags: { readonly set: Record<string, string>; readonly remove: readonly string[] },
  ): Promise<void>;
}

/** How a resource is named that was given no name. */
export interface AutonameRule {
  readonly maxLength: number;
  /** The property that holds the name; with `Prefix` behind it, that of a prefix. Default: `name`. */
  readonly property?: string;
  /** Names hold no capital letters. Default: false. */
  readonly lowerCase?: boolean;
}

/**
 * One kind of AWS resource: what its properties are, and how it is made, read, changed and deleted
 * through AWS' own interfaces. It keeps nothing between calls.
 */
export interface ResourceKind {
  /** Pulumi's type token, such as `aws:ec2/vpc:Vpc`. */
  readonly type: string;
  /** In words, for errors: `VPC`. */
  readonly title: string;
  readonly inputs: PropertyTable;
  /** Output properties that are no inputs. */
  readonly outputs: readonly string[];
  /** Lives in a region (most do) and so has the property `region`. */
  readonly regional: boolean;
  /** The name is made up from the resource's Pulumi name when it and its prefix are left out. */
  readonly autoname?: AutonameRule;
  /** Two of them can't exist side by side, so a replacement deletes the old one first. */
  readonly exclusive?: boolean;
  readonly tagging?: Tagging;
  /** Rules over several properties; called with fully known inputs only. */
  validate?(inputs: Inputs): CheckFailure[];
  /** Whether a change of a property that has no fixed rule needs another resource. */
  replacesOn?(property: string, olds: Inputs, news: Inputs): boolean;
  /** Outputs that a preview can't know any more once these properties change. */
  reopens?(changed: readonly string[], news: Inputs): string[];
  /** Makes the resource and waits until it is usable. Gives its id. */
  create(context: OperationContext, inputs: Inputs): Promise<string>;
  /** The live properties; undefined when it is gone. `id` among them corrects an imported id. */
  read(context: OperationContext, id: string, state: Inputs): Promise<Values | undefined>;
  /** Applies everything but tags. Left out where each change replaces. */
  update?(context: OperationContext, id: string, change: Change): Promise<void>;
  /** Deletes the resource and waits until it is gone; gone already is success. */
  delete(context: OperationContext, id: string, state: Inputs): Promise<void>;
}

/** The resource exists, but what should follow its creation failed; the engine must keep its id. */
export class IncompleteResourceError extends Error {
  override readonly name = "IncompleteResourceError";

  constructor(
    readonly id: string,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Runs what follows a resource's creation so that a failure does not lose the resource. */
export async function afterCreate(id: string, steps: () => Promise<void>): Promise<string> {
  try {
    await steps();
    return id;
  } catch (error) {
    throw new IncompleteResourceError(id, error);
  }
}
