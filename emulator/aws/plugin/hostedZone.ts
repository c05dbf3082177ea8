import {
  ChangeResourceRecordSetsCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
} from "@aws-sdk/client-route-53";
import type { AwsClients } from "./awsClients";

/** One change of a record. */
export interface RecordChange {
  readonly action: "CREATE" | "UPSERT" | "DELETE";
  readonly record: ResourceRecordSet;
}

/** Every record of a hosted zone. */
export async function allRecords(aws: AwsClients, zoneId: string): Promise<ResourceRecordSet[]> {
  const records: ResourceRecordSet[] = [];
  let from: { StartRecordName?: string | undefined; StartRecordType?: ResourceRecordSet["Type"] } =
    {};
  for (;;) {
    const page = await aws.route53.send(
      new ListResourceRecordSetsCommand({ HostedZoneId: zoneId, ...from }),
    );
    records.push(...(page.ResourceRecordSets ?? []));
    if (page.IsTruncated !== true) {
      return records;
    }
    from = { StartRecordName: page.NextRecordName, StartRecordType: page.NextRecordType };
  }
}

/** Applies the changes in one call. Without changes there is no call. */
export async function changeRecords(
  aws: AwsClients,
  zoneId: string,
  changes: readonly RecordChange[],
): Promise<void> {
  if (changes.length > 0) {
    await aws.route53.send(
      new ChangeResourceRecordSetsCommand({
        HostedZoneId: zoneId,
        ChangeBatch: {
          Changes: changes.map(({ action, record }) => ({
            Action: action,
            ResourceRecordSet: record,
          })),
        },
      }),
    );
  }
}

/** A DNS name the way people write it. */
export function withoutFinalDot(name: string): string {
  return name.replace(/\.$/, "");
}
