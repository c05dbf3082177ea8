import type { AwsClients } from "./awsClients";
import type { Inputs } from "./inputs";
import type { PropertyTable } from "./propertyTable";
import type { Values } from "./value";

/** A function of the AWS provider: a look-up that changes nothing. */
export interface FunctionKind {
  /** Pulumi's token, such as `aws:ec2/getAmi:getAmi`. */
  readonly token: string;
  readonly inputs: PropertyTable;
  /** @throws Error when there is no result, with a message for the user. */
  invoke(context: FunctionContext, inputs: Inputs): Promise<Values>;
}

/** The context of a function call. */
export interface FunctionContext {
  readonly aws: AwsClients;
  readonly region: string;
}
