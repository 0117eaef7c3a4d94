import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

/** The machine's certificate bundle (PEM) as a Java trust store: {@code java TrustStore.java BUNDLE STORE}. */
public class TrustStore {
    public static void main(String[] args) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(Path.of(args[0])); var out = Files.newOutputStream(Path.of(args[1]))) {
            int i = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca" + i++, certificate);
            }
            store.store(out, "changeit".toCharArray());
        }
    }
}
