import { messageOfError } from "../../../provider/base";
import type { AwsClients } from "./awsClients";
import type { Inputs } from "./inputs";
import type { PropertyTable } from "./propertyTable";
import type { Values } from "./value";

/** The context of an operation on a resource. */
export interface OperationContext {
  /** Clients for the resource's own region. */
  readonly aws: AwsClients;
  readonly region: string;
  /** Aborted when the operation's time is up or the engine cancels. */
  readonly signal: AbortSignal;
  /** A resource's tags together with the provider's default tags. */
  tagsOf(inputs: Inputs): Record<string, string>;
}

/** One problem of a resource's inputs. */
export interface CheckFailure {
  /** Dotted path of the property. */
  readonly property: string;
  readonly reason: string;
}

/** The change of an update. */
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

/** How a resource without a name gets one. */
export interface AutonameRule {
  readonly maxLength: number;
  /** The property with the name. With the suffix `Prefix`, it is that of the prefix. Default: `name`. */
  readonly property?: string;
  /** Names are lower case. Default: false. */
  readonly lowerCase?: boolean;
}

/**
 * One type of AWS resource: its properties, and how to create, read, update and delete it with AWS' APIs.
 * It keeps no state between calls.
 */
export interface ResourceKind {
  /** Pulumi's type token, such as `aws:ec2/vpc:Vpc`. */
  readonly type: string;
  /** Its name in errors: `VPC`. */
  readonly title: string;
  readonly inputs: PropertyTable;
  /** Output properties that are no inputs. */
  readonly outputs: readonly string[];
  /** A regional resource, as most are. It has the property `region`. */
  readonly regional: boolean;
  /** Set when a name is generated from the Pulumi name if name and prefix are unset. */
  readonly autoname?: AutonameRule;
  /** Two of them can't exist side by side, so a replacement deletes the old one first. */
  readonly exclusive?: boolean;
  readonly tagging?: Tagging;
  /** Checks rules over several properties. Called only when all inputs are known. */
  validate?(inputs: Inputs): CheckFailure[];
  /** Whether a change needs a replacement, for a property without a fixed rule. */
  replacesOn?(property: string, olds: Inputs, news: Inputs): boolean;
  /** Outputs that become unknown in a preview when these properties change. */
  reopens?(changed: readonly string[], news: Inputs): string[];
  /** Creates the resource and waits until it is usable. Returns its id. */
  create(context: OperationContext, inputs: Inputs): Promise<string>;
  /** The live properties, undefined when it doesn't exist. An `id` among them corrects an imported id. */
  read(context: OperationContext, id: string, state: Inputs): Promise<Values | undefined>;
  /** Applies all changes but tags. Absent when every change replaces the resource. */
  update?(context: OperationContext, id: string, change: Change): Promise<void>;
  /** Deletes the resource and waits until it is gone. A missing resource is no error. */
  delete(context: OperationContext, id: string, state: Inputs): Promise<void>;
}

/** The resource was created, but a later step failed. The engine must keep its id. */
export class IncompleteResourceError extends Error {
  override readonly name = "IncompleteResourceError";

  constructor(
    readonly id: string,
    cause: unknown,
  ) {
    super(messageOfError(cause), { cause });
  }
}

/** Runs the steps after a creation. A failure there doesn't lose the resource. */
export async function afterCreate(id: string, steps: () => Promise<void>): Promise<string> {
  try {
    await steps();
    return id;
  } catch (error) {
    throw new IncompleteResourceError(id, error);
  }
}
