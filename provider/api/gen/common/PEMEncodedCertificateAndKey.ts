// Original file: provider/api/proto/common/common.proto


export interface PEMEncodedCertificateAndKey {
  'crt'?: (Buffer | Uint8Array | string);
  'key'?: (Buffer | Uint8Array | string);
}

export interface PEMEncodedCertificateAndKey__Output {
  'crt': (Buffer);
  'key': (Buffer);
}
