import type { HostnameType } from "@aws-sdk/client-ec2";
import type { Inputs } from "../inputs";

/** How a machine is named in its network's DNS, in EC2's form. */
export function privateDnsNameOptions(options: Inputs) {
  return {
    HostnameType: options.string("hostnameType") as HostnameType | undefined,
    EnableResourceNameDnsARecord: options.boolean("enableResourceNameDnsARecord"),
    EnableResourceNameDnsAAAARecord: options.boolean("enableResourceNameDnsAaaaRecord"),
  };
}
