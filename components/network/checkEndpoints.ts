import type { PropertyProblem } from "../problems";
import type { NetworkChoices } from "./networkArgs";
import { GATEWAY_SERVICES, INTERFACE_SERVICES } from "./networkArgs";

/** All problems of a network's endpoints, made or adopted. */
export function checkEndpoints({
  adopt,
  internetAccess = true,
  gatewayEndpoints = [],
  interfaceEndpoints = [],
}: NetworkChoices): PropertyProblem[] {
  const adopted = adopt?.endpoints ?? [];
  const known = [...GATEWAY_SERVICES, ...INTERFACE_SERVICES];
  const reason = `the endpoints of an adopted network count only if its machines have no other way to AWS: set internetAccess false, or leave this out`;
  return [
    ...checkServices("gatewayEndpoints", gatewayEndpoints, GATEWAY_SERVICES, gatewayProblem),
    ...checkServices(
      "interfaceEndpoints",
      interfaceEndpoints,
      INTERFACE_SERVICES,
      interfaceProblem,
    ),
    ...checkServices("adopt.endpoints", adopted, known, interfaceProblem),
    ...(adopted.length > 0 && internetAccess ? [{ property: "adopt.endpoints", reason }] : []),
  ];
}

function checkServices(
  property: string,
  services: readonly string[],
  known: readonly string[],
  problem: (service: string) => string,
): PropertyProblem[] {
  return services.flatMap((service, index) => {
    const reason = !known.includes(service)
      ? problem(service)
      : services.indexOf(service) < index
        ? `"${service}" is named twice`
        : undefined;
    return reason === undefined ? [] : [{ property: `${property}[${index}]`, reason }];
  });
}

function gatewayProblem(service: string): string {
  return `"${service}" has no gateway endpoint: AWS offers ${GATEWAY_SERVICES.join(", ")}; others may have an interface endpoint (interfaceEndpoints)`;
}

function interfaceProblem(service: string): string {
  return GATEWAY_SERVICES.some((each) => each === service)
    ? `"${service}" has a gateway endpoint, which is free: name it in gatewayEndpoints`
    : `"${service}" is no service with an interface endpoint that this package knows: take ${INTERFACE_SERVICES.join(", ")}, or make the endpoint yourself`;
}
