import { GetServiceQuotaCommand } from "@aws-sdk/client-service-quotas";
import type { FunctionKind } from "../functionKind";

/** `aws.servicequotas.getServiceQuota`, by the quota's code. */
export const getServiceQuota: FunctionKind = {
  token: "aws:servicequotas/getServiceQuota:getServiceQuota",
  inputs: {
    serviceCode: { type: "string", required: true },
    quotaCode: { type: "string", required: true },
  },
  invoke: async ({ aws }, inputs) => {
    const { Quota } = await aws.quotas.send(
      new GetServiceQuotaCommand({
        ServiceCode: inputs.requiredString("serviceCode"),
        QuotaCode: inputs.requiredString("quotaCode"),
      }),
    );
    return {
      ...inputs.values,
      id: Quota?.QuotaArn ?? "",
      arn: Quota?.QuotaArn ?? "",
      quotaName: Quota?.QuotaName ?? "",
      value: Quota?.Value ?? 0,
    };
  },
};
