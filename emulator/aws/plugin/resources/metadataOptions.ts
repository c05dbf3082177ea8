import type { InstanceMetadataOptionsRequest } from "@aws-sdk/client-ec2";
import type { Inputs } from "../inputs";
import type { Property } from "../propertyTable";

/** The property `metadataOptions` of whatever starts machines. */
export const metadataProperty: Property = {
  type: "block",
  computed: true,
  fields: {
    httpEndpoint: { type: "string", computed: true },
    httpTokens: { type: "string", computed: true },
    httpPutResponseHopLimit: { type: "number", computed: true },
    httpProtocolIpv6: { type: "string", computed: true },
    instanceMetadataTags: { type: "string", computed: true },
  },
};

/** Metadata options in EC2's form. */
export function metadataOptions(options: Inputs): InstanceMetadataOptionsRequest {
  const choice = (name: string) => options.string(name) as "enabled" | "disabled" | undefined;
  return {
    HttpEndpoint: choice("httpEndpoint"),
    HttpTokens: options.string("httpTokens") as "optional" | "required" | undefined,
    HttpPutResponseHopLimit: options.number("httpPutResponseHopLimit"),
    HttpProtocolIpv6: choice("httpProtocolIpv6"),
    InstanceMetadataTags: choice("instanceMetadataTags"),
  };
}
