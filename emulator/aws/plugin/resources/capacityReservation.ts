import type {
  CapacityReservationSpecification,
  CapacityReservationSpecificationResponse,
} from "@aws-sdk/client-ec2";
import type { Inputs } from "../inputs";
import type { Property } from "../propertyTable";
import type { CheckFailure } from "../resourceKind";
import type { Value } from "../value";

const PATH = "capacityReservationSpecification";

/** The property `capacityReservationSpecification` of a launch template. */
export const templateReservationProperty: Property = {
  type: "block",
  fields: {
    capacityReservationPreference: { type: "string" },
    capacityReservationTarget: {
      type: "block",
      fields: {
        capacityReservationId: {
          type: "string",
          conflictsWith: [`${PATH}.capacityReservationTarget.capacityReservationResourceGroupArn`],
        },
        capacityReservationResourceGroupArn: { type: "string" },
      },
    },
  },
};

/** The property of a machine: AWS sets it if it is absent. */
export const instanceReservationProperty: Property = {
  ...templateReservationProperty,
  computed: true,
};

/** A machine's block has exactly one of its fields. */
export function checkReservation(inputs: Inputs): CheckFailure[] {
  const block = inputs.block(PATH);
  const names = ["capacityReservationPreference", "capacityReservationTarget"];
  return block === undefined || names.filter((name) => block.has(name)).length === 1
    ? []
    : [{ property: PATH, reason: `exactly one of ${names.join(" and ")} must be set` }];
}

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
