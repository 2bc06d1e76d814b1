import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** A server of the MongoDB protocol that keeps everything in memory: java MemoryMongo PORT. */
public class MemoryMongo {
    /** Drivers of today refuse wire versions below 9, and the library itself goes no higher than 8. */
    private static final class Claimed implements MongoVersion {
        @Override
        public List<Integer> getVersionArray() {
            return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 13;
        }
    }

    public static void main(String[] arguments) {
        MongoServer server = new MongoServer(new MemoryBackend().version(new Claimed()));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
        System.out.println("listening on 127.0.0.1:" + arguments[0]);
    }
}
