/** Where the objects of add-ons are. */
export const ADD_ON_DELIVERIES = ["machineConfiguration", "afterBootstrap"] as const;

/**
 * How the objects of add-ons get into the cluster: `machineConfiguration` has Talos create them, from
 * the configuration of the control plane machines. With `afterBootstrap`, `KubernetesObjects` applies
 * them once the API serves.
 */
export type AddOnDelivery = (typeof ADD_ON_DELIVERIES)[number];

/** What decides where an add-on's objects are. */
export interface DeliveryChoices {
  /** What the cluster's argument says. Default: `machineConfiguration`. */
  readonly asked: AddOnDelivery | undefined;
  /** What the add-on needs. Default: what the cluster asks. */
  readonly needed: AddOnDelivery | undefined;
}

/** Where the objects of an add-on are. */
export function deliveryOf({ asked, needed }: DeliveryChoices): AddOnDelivery {
  return needed ?? asked ?? "machineConfiguration";
}
