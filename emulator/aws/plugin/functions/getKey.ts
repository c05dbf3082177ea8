import { DescribeKeyCommand } from "@aws-sdk/client-kms";
import type { FunctionKind } from "../functionKind";

/** `aws.kms.getKey`, by its id or ARN. Source of the error: aws_kms_key of the provider 7.x, `kms/key_data_source.go`. */
export const getKey: FunctionKind = {
  token: "aws:kms/getKey:getKey",
  inputs: {
    keyId: { type: "string", required: true },
    region: { type: "string" },
  },
  invoke: async ({ aws }, inputs) => {
    const KeyId = inputs.requiredString("keyId");
    const { KeyMetadata: key } = await aws.kms.send(new DescribeKeyCommand({ KeyId }));
    // moto leaves it empty where nobody chose it: AWS has a default.
    const keyUsage: string = key?.KeyUsage ?? "";
    return {
      ...inputs.values,
      id: key?.KeyId ?? "",
      arn: key?.Arn ?? "",
      enabled: key?.Enabled ?? false,
      keySpec: key?.KeySpec ?? "",
      keyState: key?.KeyState ?? "",
      keyUsage: keyUsage === "" ? "ENCRYPT_DECRYPT" : keyUsage,
    };
  },
};
