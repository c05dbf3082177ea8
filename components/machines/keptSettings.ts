import type * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { logBeside } from "../logBeside";
import type { CapacityReservationArgs } from "./placement";
import { keptSpeeds, MACHINE_DEVICES, type PlannedVolume } from "./volumes";

/** What a machine has by its arguments. */
export interface WantedMachine {
  readonly capacityReservation: CapacityReservationArgs | undefined;
  /** EC2's names of the devices of its volumes besides the root. */
  readonly devices: readonly string[];
}

/** What EC2 uses for a machine of which nothing is said. Source: EC2 user guide, "Capacity Reservations". */
const DEFAULT_PREFERENCE = "open";

/**
 * Says in each run what a machine keeps from its creation although its arguments no longer have it: the
 * capacity reservation, and volumes with what is on them.
 */
export function noteKept(name: string, instance: aws.ec2.Instance, wanted: WantedMachine): void {
  const warn = (line: string) => void logBeside(instance, line, { severity: "warn" });
  pulumi
    .all([instance.capacityReservationSpecification, pulumi.output(wanted.capacityReservation)])
    .apply(([reservation, chosen]) => {
      const used = reservationUsed(reservation);
      const other = chosen === undefined ? DEFAULT_PREFERENCE : idOf(chosen);
      if (used !== undefined && used !== other) {
        warn(
          `${name} keeps the capacity reservation "${used}" of its creation: EC2 changes it only while a machine is stopped. Only a machine that is made again has "${other}"`,
        );
      }
    });
  // Without an engine, as in unit tests, nothing tells of volumes.
  instance.ebsBlockDevices.apply((volumes: Volumes | undefined) => {
    // EC2 also tells of volumes that a storage driver attached, at devices of other names.
    const kept = (volumes ?? []).filter(
      ({ deviceName }) =>
        MACHINE_DEVICES.includes(deviceName) && !wanted.devices.includes(deviceName),
    );
    for (const { deviceName, volumeId } of kept) {
      warn(
        `${name} keeps its volume ${volumeId} (${deviceName}), with what is on it, and AWS charges for it: it goes only with the machine. Make the machine again if you don't need it`,
      );
    }
  });
}

/** Says in each run which speeds of volumes a launch template keeps that its arguments no longer have. */
export function noteKeptSpeeds(
  name: string,
  template: aws.ec2.LaunchTemplate,
  volumes: readonly PlannedVolume[],
): void {
  template.blockDeviceMappings.apply((mappings = []) => {
    for (const { deviceName, ebs } of mappings) {
      const planned = volumes.find((volume) => volume.deviceName === deviceName);
      const lines = planned === undefined ? [] : keptSpeeds(planned, ebs ?? {});
      for (const line of lines) {
        void logBeside(template, `the launch template ${name} ${line}`, { severity: "warn" });
      }
    }
  });
}

type Volumes = pulumi.Unwrap<aws.ec2.Instance["ebsBlockDevices"]>;
type RecordedReservation =
  aws.types.output.ec2.InstanceCapacityReservationSpecification | undefined;

/** What EC2 tells of a machine's reservation; undefined if it doesn't. */
function reservationUsed(recorded: RecordedReservation): string | undefined {
  const { capacityReservationTarget: target, capacityReservationPreference } = recorded ?? {};
  return (
    nonEmpty(target?.capacityReservationId) ??
    nonEmpty(target?.capacityReservationResourceGroupArn) ??
    nonEmpty(capacityReservationPreference)
  );
}

function idOf({ id, resourceGroupArn, preference }: pulumi.Unwrap<CapacityReservationArgs>) {
  return id ?? resourceGroupArn ?? preference ?? DEFAULT_PREFERENCE;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
