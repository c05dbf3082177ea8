import type { FunctionKind } from "../functionKind";
import { ec2Details } from "./ec2Details";
import { ec2Lists } from "./ec2Lists";
import { getInstance } from "./getInstance";
import { getInstanceTypeOfferings } from "./getInstanceTypeOfferings";
import { getInstances } from "./getInstances";
import { getKey } from "./getKey";
import { getObject } from "./getObject";
import { getServiceQuota } from "./getServiceQuota";
import { getSubnet } from "./getSubnet";
import { getVpc } from "./getVpc";
import { getZone } from "./getZone";
import { getAmi, getAmiIds } from "./images";
import { otherDetails } from "./otherDetails";
import { getAvailabilityZones, getRegion } from "./regions";
import { sweepDetails } from "./sweepDetails";

/** All emulated functions, by token. */
export const functionKinds: ReadonlyMap<string, FunctionKind> = new Map(
  [
    getAmi,
    getAmiIds,
    getAvailabilityZones,
    getInstance,
    getInstances,
    getKey,
    getInstanceTypeOfferings,
    getObject,
    getRegion,
    getServiceQuota,
    getSubnet,
    getVpc,
    getZone,
    ...ec2Lists,
    ...ec2Details,
    ...otherDetails,
    ...sweepDetails,
  ].map((kind) => [kind.token, kind]),
);
