import {
  type HostnameType,
  HttpTokensState,
  type InstanceMetadataOptionsRequest,
} from "@aws-sdk/client-ec2";
import type { Inputs } from "../inputs";
import type { Property } from "../propertyTable";
import { between, memberOf, oneOf } from "../valueRules";

const SWITCH = {
  type: "string",
  computed: true,
  rule: oneOf("enabled", "disabled"),
} as const;

/** The property `metadataOptions` of a launch template: AWS sets absent fields. */
export const templateMetadataProperty: Property = {
  type: "block",
  computed: true,
  fields: {
    httpEndpoint: SWITCH,
    httpTokens: { type: "string", computed: true, rule: memberOf(HttpTokensState) },
    httpPutResponseHopLimit: { type: "number", computed: true, rule: between(1, 64) },
    httpProtocolIpv6: SWITCH,
    instanceMetadataTags: SWITCH,
  },
};

/** The property `metadataOptions` of a machine: the provider sets two of its fields. */
export const instanceMetadataProperty: Property = {
  ...templateMetadataProperty,
  fields: {
    ...templateMetadataProperty.fields,
    httpEndpoint: { ...SWITCH, computed: false, default: "enabled" },
    httpProtocolIpv6: { ...SWITCH, computed: false, default: "disabled" },
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

/** The host name settings of a machine, in EC2's form. */
export function privateDnsNameOptions(options: Inputs) {
  return {
    HostnameType: options.string("hostnameType") as HostnameType | undefined,
    EnableResourceNameDnsARecord: options.boolean("enableResourceNameDnsARecord"),
    EnableResourceNameDnsAAAARecord: options.boolean("enableResourceNameDnsAaaaRecord"),
  };
}
