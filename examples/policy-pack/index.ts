import { PolicyPack } from "@pulumi/policy";
import { crossGuardPolicies } from "pulumi-talos-aws/policies";

// Add your own policies beside these. --policy-pack-config makes single ones "advisory" or "disabled",
// by name.
new PolicyPack("talos-aws", {
  policies: crossGuardPolicies({ isProduction: (stack) => stack === "production" }),
});
