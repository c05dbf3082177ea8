import {
  DisableOutboundWebIdentityFederationCommand,
  EnableOutboundWebIdentityFederationCommand,
  GetOutboundWebIdentityFederationInfoCommand,
} from "@aws-sdk/client-iam";
import { unlessMissing } from "../awsErrors";
import type { ResourceKind } from "../resourceKind";

const DISABLED = ["FeatureDisabled", "FeatureDisabledException"];

/** `aws.iam.OutboundWebIdentityFederation`, of which an account has one. Its id is the issuer's URL. */
export const outboundWebIdentityFederation: ResourceKind = {
  type: "aws:iam/outboundWebIdentityFederation:OutboundWebIdentityFederation",
  title: "outbound identity federation",
  regional: false,
  inputs: {},
  outputs: ["issuerIdentifier"],

  create: async ({ aws }) => {
    const made = await aws.iam.send(new EnableOutboundWebIdentityFederationCommand({}));
    return made.IssuerIdentifier ?? "";
  },

  read: async ({ aws }) => {
    const live = await unlessMissing(DISABLED, () =>
      aws.iam.send(new GetOutboundWebIdentityFederationInfoCommand({})),
    );
    return live?.JwtVendingEnabled === true
      ? { issuerIdentifier: live.IssuerIdentifier ?? "" }
      : undefined;
  },

  update: async () => {
    // It has no property that could change.
  },

  delete: async ({ aws }) => {
    await unlessMissing(DISABLED, () =>
      aws.iam.send(new DisableOutboundWebIdentityFederationCommand({})),
    );
  },
};
