// Original file: provider/api/proto/time/time.proto


export interface TimeRequest {
  'server'?: (string);
}

export interface TimeRequest__Output {
  'server': (string);
}
