import type { ConfigSchema } from "./config/configSchema";
import { decodeDocuments } from "./config/encode";
import { freeze } from "./config/immutable";
import type { ConfigDocument } from "./config/machineConfig";
import type { Patch } from "./config/patch";
import { LruCache } from "./config/lruCache";
import { schemaOfDocuments } from "./config/schemaOfDocuments";
import { renderConfiguration, type RenderResult } from "./renderConfiguration";

/** The number of cached renderings: machines of a pool have the same patches, mostly none. */
const KEPT_RENDERINGS = 4;

/**
 * The configuration of a role. It is parsed once, and rendered once for all machines with the same
 * patches.
 */
export class RoleConfiguration {
  private readonly documents: readonly ConfigDocument[];
  private readonly schema: ConfigSchema;
  private readonly renderings = new LruCache<RenderResult>(KEPT_RENDERINGS);

  /**
   * @param text YAML documents
   * @param longestText the maximum length of a text in the outline
   * @throws ConfigError if the text can't be read
   */
  constructor(
    text: string,
    private readonly longestText: number,
  ) {
    this.documents = freeze(decodeDocuments(text));
    this.schema = schemaOfDocuments(this.documents);
  }

  /**
   * The configuration of a machine with these patches. The result is frozen.
   *
   * @param patches plain data, as the engine passes it. Patches with the same JSON count as equal
   */
  render(patches: readonly Patch[]): RenderResult {
    return this.renderings.get(JSON.stringify(patches), () =>
      freeze(
        renderConfiguration(this.documents, patches, {
          schema: this.schema,
          longestText: this.longestText,
        }),
      ),
    );
  }
}
