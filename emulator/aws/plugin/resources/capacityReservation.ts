import {
  type CapacityReservationSpecification,
  type CapacityReservationSpecificationResponse,
  CapacityReservationPreference,
} from "@aws-sdk/client-ec2";
import type { Inputs } from "../inputs";
import type { Property } from "../propertyTable";
import type { Value } from "../value";
import { memberOf, arn } from "../valueRules";

const PATH = "capacityReservationSpecification";

const FIELDS = {
  capacityReservationPreference: { type: "string", rule: memberOf(CapacityReservationPreference) },
  capacityReservationTarget: {
    type: "block",
    fields: {
      capacityReservationId: {
        type: "string",
        conflictsWith: [`${PATH}.capacityReservationTarget.capacityReservationResourceGroupArn`],
      },
      capacityReservationResourceGroupArn: { type: "string", rule: arn },
    },
  },
} as const;
const EITHER = Object.keys(FIELDS).map((name) => `${PATH}.${name}`);

/** The property `capacityReservationSpecification` of a launch template. */
export const templateReservationProperty: Property = { type: "block", fields: FIELDS };

/** The property of a machine: AWS sets it if it is absent, and the block has one of its fields. */
export const instanceReservationProperty: Property = {
  type: "block",
  computed: true,
  fields: {
    capacityReservationPreference: {
      ...FIELDS.capacityReservationPreference,
      exactlyOneOf: EITHER,
    },
    capacityReservationTarget: { ...FIELDS.capacityReservationTarget, exactlyOneOf: EITHER },
  },
};

/** A reservation in EC2's form. */
export function reservationRequest(inputs: Inputs): CapacityReservationSpecification | undefined {
  const block = inputs.block(PATH);
  const target = block?.block("capacityReservationTarget");
  return (
    block && {
      CapacityReservationPreference: block.string("capacityReservationPreference") as
        "open" | "none" | undefined,
      CapacityReservationTarget: target && {
        CapacityReservationId: target.string("capacityReservationId"),
        CapacityReservationResourceGroupArn: target.string("capacityReservationResourceGroupArn"),
      },
    }
  );
}

/** The property of a live machine or template; null without one. */
export function reservationValues(
  live: CapacityReservationSpecificationResponse | undefined,
): Value {
  const target = live?.CapacityReservationTarget;
  return live === undefined
    ? null
    : {
        capacityReservationPreference: live.CapacityReservationPreference ?? null,
        capacityReservationTarget: target
          ? {
              capacityReservationId: target.CapacityReservationId ?? null,
              capacityReservationResourceGroupArn:
                target.CapacityReservationResourceGroupArn ?? null,
            }
          : null,
      };
}
