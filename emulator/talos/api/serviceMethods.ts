import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { ServiceInfo } from "../../../provider/api/gen/machine/ServiceInfo";
import type { Service } from "../machine/serviceBoard";
import { recipeOf, type ServiceAction, type ServiceRecipe } from "../machine/serviceCatalog";
import { unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { timestamp } from "../rpc/times";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/**
 * Methods for a node's services: their state, and start, stop and restart for services that allow
 * it.
 */
export function serviceMethods({ state, control }: MethodContext): Method[] {
  const known = (id: string): { readonly recipe: ServiceRecipe; readonly runs: boolean } => {
    const recipe = recipeOf(id);
    const found = state.services.find(id);
    if (!recipe || !found) {
      throw new RpcError(status.UNKNOWN, `service ${JSON.stringify(id)} not defined`);
    }
    return { recipe, runs: !["Finished", "Failed", "Skipped"].includes(found.state) };
  };
  const require = (recipe: ServiceRecipe, action: ServiceAction) => {
    if (recipe.viaApi?.includes(action) === true) {
      return;
    }
    throw new RpcError(
      status.UNKNOWN,
      `service ${JSON.stringify(recipe.id)} doesn't support ${action} operation via API`,
    );
  };
  const done = (id: string, what: string) => ({
    messages: [{ resp: `Service ${JSON.stringify(id)} ${what}` }],
  });
  const start = (id: string) => {
    const { recipe, runs } = known(id);
    if (runs) {
      return;
    }
    require(recipe, "start");
    control.startService(recipe);
  };
  return [
    unary(service.ServiceList, () => ({
      messages: [{ services: state.services.list().map(serviceInfo) }],
    })),
    unary(service.ServiceStart, ({ id }) => {
      start(id);
      return done(id, "started");
    }),
    unary(service.ServiceStop, ({ id }) => {
      const { recipe, runs } = known(id);
      if (runs) {
        require(recipe, "stop");
        control.stopService(recipe);
      }
      return done(id, "stopped");
    }),
    unary(service.ServiceRestart, ({ id }) => {
      const { recipe, runs } = known(id);
      if (runs) {
        require(recipe, "restart");
        control.stopService(recipe);
      }
      start(id);
      return done(id, "restarted");
    }),
  ];
}

function serviceInfo({ id, state, events, health }: Service): ServiceInfo {
  return {
    id,
    state,
    events: {
      events: events.map((event) => ({
        msg: event.message,
        state: event.state,
        ts: timestamp(event.at),
      })),
    },
    health: {
      unknown: health.unknown,
      healthy: health.healthy,
      lastMessage: health.message,
      lastChange: timestamp(health.changedAt),
    },
  };
}
