/** How machines get their first configuration; `WorkerPoolArgs.delivery` says what each means. */
export type Delivery = (typeof DELIVERIES)[number];

/** Every way there is. */
export const DELIVERIES = ["apply", "userData"] as const;
