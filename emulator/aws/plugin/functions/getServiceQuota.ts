import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
} from "@aws-sdk/client-service-quotas";
import type { FunctionKind } from "../functionKind";

/**
 * `aws.servicequotas.getServiceQuota`, by the quota's code. The provider asks for AWS' default first, so it
 * needs both permissions. Source: calls of 6.58.
 */
export const getServiceQuota: FunctionKind = {
  token: "aws:servicequotas/getServiceQuota:getServiceQuota",
  inputs: {
    serviceCode: { type: "string", required: true },
    quotaCode: { type: "string", required: true },
  },
  invoke: async ({ aws }, inputs) => {
    const quota = {
      ServiceCode: inputs.requiredString("serviceCode"),
      QuotaCode: inputs.requiredString("quotaCode"),
    };
    await aws.quotas.send(new GetAWSDefaultServiceQuotaCommand(quota));
    const { Quota } = await aws.quotas.send(new GetServiceQuotaCommand(quota));
    return {
      ...inputs.values,
      id: Quota?.QuotaArn ?? "",
      arn: Quota?.QuotaArn ?? "",
      quotaName: Quota?.QuotaName ?? "",
      value: Quota?.Value ?? 0,
    };
  },
};
