import { objects, text } from "../../properties";
import { askFor, ofTags, place, type Search, Unsure } from "./search";

export const endpointSearches: Readonly<Record<string, Search>> = {
  "aws:lb/loadBalancer:LoadBalancer": (inputs, ask) =>
    byName(inputs, ask, "aws:lb/getLoadBalancer:getLoadBalancer", "load balancer"),
  "aws:lb/targetGroup:TargetGroup": (inputs, ask) =>
    byName(inputs, ask, "aws:lb/getTargetGroup:getTargetGroup", "target group"),

  // A load balancer has one listener per port.
  "aws:lb/listener:Listener": async (inputs, ask) => {
    const live = await askFor(ask, "aws:lb/getListener:getListener", {
      ...place(inputs),
      loadBalancerArn: text(inputs, "loadBalancerArn"),
      port: inputs.port,
    });
    return live === undefined ? [] : [text(live, "arn")];
  },

  "aws:route53/zone:Zone": async (inputs, ask, recorded) => {
    const [vpc] = objects(inputs, "vpcs");
    const zone = await askFor(ask, "aws:route53/getZone:getZone", {
      name: text(inputs, "name"),
      privateZone: vpc !== undefined,
      ...(vpc !== undefined && { vpcId: text(vpc, "vpcId") }),
      tags: inputs.tags ?? {},
    });
    const id = text(zone ?? {}, "zoneId");
    if (zone === undefined || recorded.has(id)) {
      return [];
    }
    // A new zone has the two records that AWS creates: NS and SOA.
    if (Number(zone.resourceRecordSetCount) > 2) {
      throw new Unsure(`the hosted zone ${id} has the same name, and contains records`, [id]);
    }
    return [id];
  },

  "aws:route53/record:Record": async (inputs, ask) => {
    const [zoneId, type] = [text(inputs, "zoneId"), text(inputs, "type")];
    const name = bare(text(inputs, "name"));
    const records = await askFor(ask, "aws:route53/getRecords:getRecords", { zoneId });
    const isThere = objects(records ?? {}, "resourceRecordSets").some(
      (each) => bare(text(each, "name")) === name && text(each, "type") === type,
    );
    return isThere ? [`${zoneId}_${name}_${type}`] : [];
  },

  // Bucket names are global, and the owner is not visible from outside.
  "aws:s3/bucket:Bucket": async (inputs, ask) => {
    const bucket = text(inputs, "bucket");
    const live = await askFor(ask, "aws:s3/getBucket:getBucket", { ...place(inputs), bucket });
    if (live !== undefined) {
      throw new Unsure(`a bucket of this name exists`, [bucket]);
    }
    return [];
  },
};

async function byName(
  inputs: Parameters<Search>[0],
  ask: Parameters<Search>[1],
  token: string,
  what: string,
): Promise<readonly string[]> {
  const live = await askFor(ask, token, { ...place(inputs), name: text(inputs, "name") });
  return ofTags(inputs, live, text(live ?? {}, "arn"), `a ${what} of this name`);
}

function bare(name: string): string {
  return name.replace(/\.$/, "").toLowerCase();
}
