import type { ResourceKind } from "../resourceKind";
import { instance } from "./instance";
import { instanceProfile } from "./instanceProfile";
import { internetGateway } from "./internetGateway";
import { listener } from "./listener";
import { loadBalancer } from "./loadBalancer";
import { record } from "./record";
import { role } from "./role";
import { rolePolicy } from "./rolePolicy";
import { route } from "./route";
import { routeTable } from "./routeTable";
import { routeTableAssociation } from "./routeTableAssociation";
import { securityGroup } from "./securityGroup";
import { securityGroupEgressRule, securityGroupIngressRule } from "./securityGroupRule";
import { subnet } from "./subnet";
import { targetGroup } from "./targetGroup";
import { targetGroupAttachment } from "./targetGroupAttachment";
import { vpc } from "./vpc";
import { zone } from "./zone";

/** Every kind of resource the stand-in serves, by type token. */
export const resourceKinds: ReadonlyMap<string, ResourceKind> = new Map(
  [
    instance,
    instanceProfile,
    internetGateway,
    listener,
    loadBalancer,
    record,
    role,
    rolePolicy,
    route,
    routeTable,
    routeTableAssociation,
    securityGroup,
    securityGroupEgressRule,
    securityGroupIngressRule,
    subnet,
    targetGroup,
    targetGroupAttachment,
    vpc,
    zone,
  ].map((kind) => [kind.type, kind]),
);
