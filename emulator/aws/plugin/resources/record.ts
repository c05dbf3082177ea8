import { isIPv4 } from "node:net";
import { GetHostedZoneCommand, type ResourceRecordSet, RRType } from "@aws-sdk/client-route-53";
import { unlessMissing } from "../awsErrors";
import { allRecords, changeRecords, withoutFinalDot } from "../hostedZone";
import type { Inputs } from "../inputs";
import type { CheckFailure, OperationContext, ResourceKind } from "../resourceKind";
import type { Values } from "../value";
import { memberOf, text, given } from "../valueRules";

const MISSING = ["NoSuchHostedZone"];

const CONTENT = ["aliases", "records"];

/** `aws.route53.Record`, simple or alias. A record of another type replaces it in one call. */
export const record: ResourceKind = {
  type: "aws:route53/record:Record",
  title: "DNS record",
  regional: false,
  exclusive: true,
  inputs: {
    zoneId: { type: "string", required: true, replaces: true, rule: given },
    name: { type: "string", required: true, replaces: true },
    type: { type: "string", required: true, rule: memberOf(RRType) },
    ttl: { type: "number", conflictsWith: ["aliases"], requiredWith: ["records"] },
    records: { type: "strings", unordered: true, exactlyOneOf: CONTENT },
    allowOverwrite: { type: "boolean", computed: true },
    aliases: {
      type: "blocks",
      exactlyOneOf: CONTENT,
      fields: {
        name: { type: "string", required: true, rule: text(1, 1024) },
        zoneId: { type: "string", required: true, rule: text(1, 32) },
        evaluateTargetHealth: { type: "boolean", required: true },
      },
    },
  },
  outputs: ["fqdn"],

  validate: (inputs) => [
    ...(inputs.has("records") && !inputs.has("ttl")
      ? [{ property: "ttl", reason: "a record with records needs a ttl" }]
      : []),
    ...checkAddresses(inputs),
  ],

  create: async (context, inputs) => {
    const zoneId = inputs.requiredString("zoneId");
    const fqdn = await fullName(context, zoneId, inputs.requiredString("name"));
    const action = inputs.boolean("allowOverwrite") === true ? "UPSERT" : "CREATE";
    if (action === "CREATE" && (await find(context, zoneId, fqdn, inputs.string("type")))) {
      throw new Error(
        `the record "${fqdn}" of type ${inputs.requiredString("type")} exists already: import it, ` +
          "or set allowOverwrite",
      );
    }
    await changeRecords(context.aws, zoneId, [{ action, record: recordSet(fqdn, inputs) }]);
    return `${zoneId}_${inputs.requiredString("name")}_${inputs.requiredString("type")}`;
  },

  read: async (context, id, state) => {
    const { zoneId, name, type } = place(id, state);
    return unlessMissing(MISSING, async () => {
      const fqdn = await fullName(context, zoneId, name);
      const live = await find(context, zoneId, fqdn, type);
      return live && { zoneId, name, type, fqdn, ...content(live) };
    });
  },

  update: async (context, _id, { olds, news, touches }) => {
    const zoneId = news.requiredString("zoneId");
    const fqdn = await fullName(context, zoneId, news.requiredString("name"));
    const former = touches("type")
      ? await find(context, zoneId, fqdn, olds.string("type"))
      : undefined;
    await changeRecords(context.aws, zoneId, [
      ...(former === undefined ? [] : [{ action: "DELETE" as const, record: former }]),
      { action: "UPSERT", record: recordSet(fqdn, news) },
    ]);
  },

  delete: async (context, id, state) => {
    const { zoneId, name, type } = place(id, state);
    await unlessMissing(MISSING, async () => {
      const live = await find(context, zoneId, await fullName(context, zoneId, name), type);
      if (live !== undefined) {
        await changeRecords(context.aws, zoneId, [{ action: "DELETE", record: live }]);
      }
    });
  },
};

/** Route 53 refuses a record without values, and one of IPv4 addresses with anything else. */
function checkAddresses(inputs: Inputs): CheckFailure[] {
  const records = inputs.strings("records") ?? [];
  if (!inputs.has("records")) {
    return [];
  }
  if (records.length === 0) {
    return [{ property: "records", reason: "a record needs a value" }];
  }
  const wrong = inputs.string("type") === "A" ? records.filter((each) => !isIPv4(each)) : [];
  const quoted = wrong.map((each) => `"${each}"`).join(", ");
  const reason = `a record of type A leads to IPv4 addresses, not to ${quoted}`;
  return wrong.length === 0 ? [] : [{ property: "records", reason }];
}

function recordSet(fqdn: string, inputs: Inputs): ResourceRecordSet {
  const alias = inputs.blocks("aliases")[0];
  return {
    Name: fqdn,
    Type: inputs.requiredString("type") as RRType,
    ...(alias === undefined
      ? {
          TTL: inputs.number("ttl"),
          ResourceRecords: (inputs.strings("records") ?? []).map((Value) => ({ Value })),
        }
      : {
          AliasTarget: {
            DNSName: alias.requiredString("name"),
            HostedZoneId: alias.requiredString("zoneId"),
            EvaluateTargetHealth: alias.boolean("evaluateTargetHealth") ?? false,
          },
        }),
  };
}

function content(live: ResourceRecordSet): Values {
  const alias = live.AliasTarget;
  return alias === undefined
    ? {
        ttl: live.TTL ?? null,
        records: (live.ResourceRecords ?? []).map(({ Value }) => Value ?? ""),
      }
    : {
        aliases: [
          {
            name: withoutFinalDot(alias.DNSName ?? ""),
            zoneId: alias.HostedZoneId ?? "",
            evaluateTargetHealth: alias.EvaluateTargetHealth ?? false,
          },
        ],
      };
}

async function find(
  context: OperationContext,
  zoneId: string,
  fqdn: string,
  type: string | undefined,
): Promise<ResourceRecordSet | undefined> {
  const records = await allRecords(context.aws, zoneId);
  return records.find(
    (live) =>
      withoutFinalDot(live.Name ?? "").toLowerCase() === fqdn.toLowerCase() && live.Type === type,
  );
}

/** The full name of the record; the property may omit the zone's name. */
async function fullName({ aws }: OperationContext, zoneId: string, name: string): Promise<string> {
  const { HostedZone } = await aws.route53.send(new GetHostedZoneCommand({ Id: zoneId }));
  const zoneName = withoutFinalDot(HostedZone?.Name ?? "");
  const bare = withoutFinalDot(name);
  return bare === zoneName || bare.endsWith(`.${zoneName}`)
    ? bare
    : bare === ""
      ? zoneName
      : `${bare}.${zoneName}`;
}

function place(id: string, state: Inputs): { zoneId: string; name: string; type: string } {
  if (state.has("zoneId")) {
    return {
      zoneId: state.requiredString("zoneId"),
      name: state.requiredString("name"),
      type: state.requiredString("type"),
    };
  }
  const [, zoneId, name, type] = /^([^_]+)_(.*)_([A-Z]+)$/.exec(id) ?? [];
  if (zoneId === undefined || name === undefined || type === undefined) {
    throw new Error(`"${id}" names no record: write it as in "Z0123456789_api.example.com_A"`);
  }
  return { zoneId, name, type };
}
