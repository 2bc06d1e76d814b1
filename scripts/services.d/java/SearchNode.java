import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One node of Elasticsearch 7 or OpenSearch 2, from the jars on the class path: java SearchNode FOLDER [KEY=VALUE ...].
 *
 * <p>The registries have the servers as libraries, without their installation and scripts. Both keep the same class names
 * below different packages, so everything is found by name at run time. A setting without a value removes a default.
 */
public class SearchNode {
    private final String root;

    private SearchNode(String root) {
        this.root = root;
    }

    public static void main(String[] arguments) {
        try {
            String root = exists("org.opensearch.node.Node") ? "org.opensearch." : "org.elasticsearch.";
            new SearchNode(root).run(Path.of(arguments[0]).toAbsolutePath(), List.of(arguments).subList(1, arguments.length));
        } catch (Throwable problem) {
            problem.printStackTrace();
            // Threads that the node has started already would keep the process alive.
            Runtime.getRuntime().halt(1);
        }
    }

    private void run(Path folder, List<String> given) throws Exception {
        for (String part : List.of("config", "modules", "plugins", "data", "logs")) {
            Files.createDirectories(folder.resolve(part));
        }
        Object environment = type("node.InternalSettingsPreparer")
            .getMethod("prepareEnvironment", type("common.settings.Settings"), Map.class, Path.class, Supplier.class)
            .invoke(null, settings(folder, given), Map.of(), folder.resolve("config"), (Supplier<String>) () -> "node");
        // The public constructor loads plugins from folders; this one takes classes.
        Constructor<?> constructor =
            type("node.Node").getDeclaredConstructor(type("env.Environment"), Collection.class, boolean.class);
        constructor.setAccessible(true);
        Object node = constructor.newInstance(environment, List.of(type("transport.Netty4Plugin")), false);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        type("node.Node").getMethod("start").invoke(node);
        System.out.println("started");
        new CountDownLatch(1).await();
    }

    private Object settings(Path folder, List<String> given) throws Exception {
        Map<String, String> settings = new TreeMap<>(Map.of(
            "cluster.name", "ycsb-host-services",
            "node.name", "n1",
            "network.host", "127.0.0.1",
            "discovery.type", "single-node",
            "transport.type", "netty4",
            "http.type", "netty4",
            "node.store.allow_mmap", "false",
            // A disk that is nearly full would make every index read-only.
            "cluster.routing.allocation.disk.threshold_enabled", "false",
            "path.home", folder.toString()));
        for (String setting : given) {
            String[] pair = setting.split("=", 2);
            if (pair.length < 2) {
                throw new IllegalArgumentException("setting \"" + setting + "\" is not KEY=VALUE");
            }
            if (pair[1].isEmpty()) {
                settings.remove(pair[0]);
            } else {
                settings.put(pair[0], pair[1]);
            }
        }
        Object builder = type("common.settings.Settings").getMethod("builder").invoke(null);
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            builder.getClass().getMethod("put", String.class, String.class)
                .invoke(builder, setting.getKey(), setting.getValue());
        }
        return builder.getClass().getMethod("build").invoke(builder);
    }

    private void close(Object node) {
        try {
            type("node.Node").getMethod("close").invoke(node);
            type("node.Node").getMethod("awaitClose", long.class, TimeUnit.class).invoke(node, 8L, TimeUnit.SECONDS);
        } catch (Exception problem) {
            problem.printStackTrace();
        }
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(root + name);
    }

    private static boolean exists(String name) {
        try {
            Class.forName(name);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
