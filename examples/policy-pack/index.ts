import { PolicyPack } from "@pulumi/policy";
import { crossGuardPolicies } from "pulumi-talos-aws/policies";

// In a project's own pack, other policies stand beside these. Each can be made "advisory" or
// "disabled" by name with --policy-pack-config.
new PolicyPack("talos-aws", {
  policies: crossGuardPolicies({ isProduction: (stack) => stack === "production" }),
});
