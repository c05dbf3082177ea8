import {
  type CreditSpecificationRequest,
  DescribeInstanceCreditSpecificationsCommand,
  DescribeInstanceTypesCommand,
  type _InstanceType,
  ModifyInstanceCreditSpecificationCommand,
} from "@aws-sdk/client-ec2";
import type { Inputs } from "../inputs";
import type { Property } from "../propertyTable";
import type { OperationContext } from "../resourceKind";
import type { Values } from "../value";
import { oneOf } from "../valueRules";

/** How a machine of a burstable type pays for more than its share. */
export const cpuCredits = oneOf("standard", "unlimited");

/**
 * The property `creditSpecification` of a machine. The provider keeps what the machine has if it is
 * left out.
 */
export const instanceCreditProperty: Property = {
  type: "block",
  computed: true,
  fields: { cpuCredits: { type: "string", computed: true, rule: cpuCredits } },
};

/** What a new machine is told of its credits. The provider tells only a burstable one. */
export async function creditRequest(
  context: OperationContext,
  inputs: Inputs,
): Promise<CreditSpecificationRequest | undefined> {
  const CpuCredits = inputs.block("creditSpecification")?.string("cpuCredits");
  const isTold =
    CpuCredits !== undefined && (await isBurstable(context, inputs.requiredString("instanceType")));
  return isTold ? { CpuCredits } : undefined;
}

/** Changes the credits of a machine. */
export async function changeCredits(
  { aws }: OperationContext,
  InstanceId: string,
  news: Inputs,
): Promise<void> {
  const CpuCredits = news.block("creditSpecification")?.string("cpuCredits");
  if (CpuCredits !== undefined) {
    const InstanceCreditSpecifications = [{ InstanceId, CpuCredits }];
    await aws.ec2.send(
      new ModifyInstanceCreditSpecificationCommand({ InstanceCreditSpecifications }),
    );
  }
}

/** The credits of a machine as the provider reads them: only a burstable one has any. */
export async function creditValues(
  context: OperationContext,
  id: string,
  instanceType: string,
): Promise<Values> {
  if (!(await isBurstable(context, instanceType))) {
    return { creditSpecification: null };
  }
  const { InstanceCreditSpecifications: [found] = [] } = await context.aws.ec2.send(
    new DescribeInstanceCreditSpecificationsCommand({ InstanceIds: [id] }),
  );
  return { creditSpecification: { cpuCredits: found?.CpuCredits ?? null } };
}

async function isBurstable({ aws }: OperationContext, instanceType: string): Promise<boolean> {
  const { InstanceTypes: [found] = [] } = await aws.ec2.send(
    new DescribeInstanceTypesCommand({ InstanceTypes: [instanceType as _InstanceType] }),
  );
  return found?.BurstablePerformanceSupported ?? false;
}
